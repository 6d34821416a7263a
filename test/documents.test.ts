import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { apiDocument } from "../scripts/api-document.ts";
import { drawArchitecture, placePicture } from "../scripts/arrows/picture.ts";
import { readImportGraph } from "../scripts/arrows/import-graph.ts";

const root = join(import.meta.dirname, "..");

type Document = { path: string; text: string };
const documents: Document[] = [];

beforeAll(async () => {
  for await (const path of glob(["*.md", "docs/**/*.md"], { cwd: root })) {
    documents.push({ path, text: await readFile(join(root, path), "utf8") });
  }
});

describe("the documents", () => {
  it("link to files that exist", () => {
    const links = mentions(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g).filter(({ name }) => !/^(https?:|mailto:|#)/.test(name));

    const dead = links.filter(({ path, name }) => !existsSync(join(root, dirname(path), name.replace(/#.*$/, ""))));

    expect(dead).toEqual([]);
  });

  it("name files and folders that exist", () => {
    const named = mentions(/`((?:src|test|scripts|docs|bin|bench|guild-members)\/[\w./-]*)`/g);

    const absent = named.filter(({ name }) => !existsSync(join(root, normalize(name))));

    expect(absent).toEqual([]);
  });

  it("name npm scripts that exist", async () => {
    const manifest: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(manifest);

    const unknown = mentions(/\bnpm run ([\w:-]+)/g).filter(({ name }) => !(name in scripts));

    expect(unknown).toEqual([]);
  });

  it("name environment variables that the product reads", async () => {
    const sources: string[] = [];
    for await (const path of glob("src/**/*.ts", { cwd: root })) sources.push(await readFile(join(root, path), "utf8"));

    const unread = mentions(/\b(GUILD_HALL_[A-Z_]+)\b/g).filter(({ name }) => !sources.some((source) => source.includes(name)));

    expect(unread).toEqual([]);
  });

  it("show the imports as they are; npm run draw makes the picture anew", async () => {
    const architecture = documents.find(({ path }) => path === "ARCHITECTURE.md")?.text ?? "";

    const drawn = placePicture(architecture, drawArchitecture(await readImportGraph(root)));

    expect(architecture).toBe(drawn);
  });

  it("describe the API as it is served; npm run api-document writes it anew", () => {
    const served = documents.find(({ path }) => path === "docs/api.md")?.text;

    expect(served).toBe(apiDocument());
  });

  it("number the decisions without gaps, one page each", () => {
    const decisions = documents.filter(({ path }) => path.startsWith("docs/decisions/")).toSorted((a, b) => (a.path < b.path ? -1 : 1));

    const numbers = decisions.map(({ path }) => Number(/\/(\d{3})-[a-z0-9-]+\.md$/.exec(path)?.[1]));

    expect(numbers).toEqual(decisions.map((_, at) => at + 1));
    expect(decisions.filter(({ text }) => text.split(/\s+/).length > 500)).toEqual([]);
  });
});

/** What the first group that matched caught, with the document it stands in. */
function mentions(pattern: RegExp): { path: string; name: string }[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ path, name: match.slice(1).find((group) => group !== undefined) ?? "" })),
  );
}
