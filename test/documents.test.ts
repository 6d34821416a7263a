import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { apiDocument } from "../scripts/api-document/api-document.ts";
import { sampleRequest } from "../scripts/api-document/sample-values.ts";
import { drawArchitecture, placePicture } from "../scripts/arrows/picture.ts";
import { readImportGraph } from "../scripts/arrows/import-graph.ts";
import { describedRoutes } from "../src/server/api/routes.ts";

const root = join(import.meta.dirname, "..");

type Document = { path: string; text: string };
const documents: Document[] = [];

beforeAll(async () => {
  for await (const path of glob(["*.md", "docs/**/*.md", "guild-members/*/README.md"], { cwd: root })) {
    documents.push({ path, text: await readFile(join(root, path), "utf8") });
  }
});

describe("the documents", () => {
  it("hold no marks of a merge conflict, also if they were formatted into a table or a quote", () => {
    const marks = mentions(/^[| ]*(<{7} .*|={7}[ |]*|>{7} .*|(?:> ?){7}.*)$/gm);

    expect(marks).toEqual([]);
  });

  it("link to files that exist", () => {
    const links = mentions(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g).filter(({ name }) => !/^(https?:|mailto:|#)/.test(name));

    const dead = links.filter(({ path, name }) => !existsSync(join(root, dirname(path), name.replace(/#.*$/, ""))));

    expect(dead).toEqual([]);
  });

  it("link to headings that are there", () => {
    const headings = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
    const links = mentions(/\]\(([^)\s]*#[^)\s]*)\)/g).filter(({ name }) => !/^https?:/.test(name));

    const dead = links.filter(({ path, name }) => {
      const [file = "", anchor = ""] = name.split("#");
      return headings.get(file === "" ? path : join(dirname(path), file))?.has(anchor) === false;
    });

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

  it("describe the API as it is served; npm run api-document writes it anew", async () => {
    const served = documents.find(({ path }) => path === "docs/api.md")?.text;

    expect(served).toBe(await apiDocument());
  });

  it("say of every shape of the API what is in it", () => {
    const page = documents.find(({ path }) => path === "docs/api.md")?.text ?? "";

    const shapes = (/^## Shapes$([^]*?)^## /m.exec(page)?.[1] ?? "").split(/^### /m).slice(1);
    const empty = shapes.filter((section) => !/^\| --- .*\n\| \S/m.test(section));

    expect(shapes.length).toBeGreaterThan(60);
    expect(empty).toEqual([]);
  });

  it("say of every parameter of the API what it is for, and quote what shells take for patterns", () => {
    const page = documents.find(({ path }) => path === "docs/api.md")?.text ?? "";

    const routes = (/^## Sessions$([^]*?)^## Shapes$/m.exec(page)?.[1] ?? "").split("\n");
    const parameters = routes.filter((line) => line.startsWith("| `"));

    expect(parameters.length).toBeGreaterThan(60);
    expect(parameters.filter((row) => !/^\| [^|]+ \| [^|]+ \| \S[^|]+ \|$/.test(row))).toEqual([]);
    expect(routes.filter((line) => /^curl [^']*\?/.test(line))).toEqual([]);
  });

  it("show requests that the API takes", () => {
    const routes = describedRoutes();

    const refused = routes.filter(({ body, bodyType, ...route }) => {
      if (body === undefined || bodyType !== undefined) return false;
      return !body.safeParse(sampleRequest({ ...route, body }).body).success;
    });

    expect(refused.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it("quote in troubleshooting what the product really says", async () => {
    const sources: string[] = [];
    for await (const path of glob(["src/**/*.{ts,tsx}", "guild-members/**/*.ts", "bin/*.js"], { cwd: root })) {
      if (!path.includes(".test.")) sources.push((await readFile(join(root, path), "utf8")).replaceAll(/\\(["`$])/g, "$1"));
    }
    const quotations = mentions(/^> (.+)$/gm).filter(({ path }) => path === "docs/troubleshooting.md");

    const unsaid = quotations.filter(({ name }) => !sources.some((source) => name.split("…").every((piece) => source.includes(piece))));

    expect(quotations.length).toBeGreaterThan(40);
    expect(unsaid).toEqual([]);
  });

  it("number the decisions without gaps, one page each", () => {
    const decisions = documents.filter(({ path }) => path.startsWith("docs/decisions/")).toSorted((a, b) => (a.path < b.path ? -1 : 1));

    const numbers = decisions.map(({ path }) => Number(/\/(\d{3})-[a-z0-9-]+\.md$/.exec(path)?.[1]));

    expect(numbers).toEqual(decisions.map((_, at) => at + 1));
    expect(decisions.filter(({ text }) => text.split(/\s+/).length > 500)).toEqual([]);
  });
});

/** As GitHub makes them of headings. */
function anchorsOf(text: string): Set<string> {
  const prose = text.replaceAll(/^```[^]*?^```$/gm, "");
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** What the first group that matched caught, with the document it stands in. */
function mentions(pattern: RegExp): { path: string; name: string }[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ path, name: match.slice(1).find((group) => group !== undefined) ?? "" })),
  );
}
