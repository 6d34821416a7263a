import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readImportGraph } from "../../scripts/arrows/import-graph.ts";
import { findBreaches, rules } from "../../scripts/arrows/rules.ts";

type Tree = Record<string, string>;

/** A small tree that keeps every rule, and uses what each of them allows. */
const sound: Tree = {
  "src/schema/id.ts": `import { z } from "zod"; export const Id = z.string();`,
  "src/core/agent/port.ts": `export type Runner = { run(): void };`,
  "src/core/session/session.ts": `import { Id } from "../../schema/id.ts"; import type { Runner } from "../agent/port.ts"; export const s = (r: Runner) => [r, Id];`,
  "src/adapters/agent/runner.ts": `import { query } from "@anthropic-ai/claude-agent-sdk"; import type { Runner } from "../../core/agent/port.ts"; export const r: Runner = { run: query };`,
  "src/adapters/files/store.ts": `import { open } from "node:fs"; import "../processes/child.ts"; export const store = open; export type Store = typeof store;`,
  "src/adapters/files/store.test.ts": `import { it } from "vitest"; import "../agent/runner.ts"; it("works", () => {});`,
  "src/adapters/processes/child.ts": `import { spawn } from "node:child_process"; export const child = spawn;`,
  "src/scripted-model/server.ts": `import { Id } from "../schema/id.ts"; export const model = Id;`,
  "src/server/compose.ts": `import { r } from "../adapters/agent/runner.ts"; import { store } from "../adapters/files/store.ts"; export const hall = [r, store];`,
  "src/server/main.ts": `import { hall } from "./compose.ts"; import type { Store } from "../adapters/files/store.ts"; export const start = (s: Store) => [hall, s];`,
  "src/client/client.ts": `import { Id } from "../schema/id.ts"; export const client = Id;`,
  "src/client/hall-client.ts": `export const ask = fetch;`,
  "src/cli/main.ts": `import { client } from "../client/client.ts"; import { start } from "../server/main.ts"; export const m = [client, start];`,
  "src/web/app/page.tsx": `import { useState } from "react"; import { client } from "../../client/client.ts"; export default () => <b>{useState(client)}</b>;`,
  "src/web/live/news.ts": `import { ask } from "../../client/hall-client.ts"; export const news = ask;`,
  "src/web/components/groups/row.tsx": `import { news } from "../../live/news.ts"; export const Row = () => <b>{news}</b>;`,
  "src/web/components/screens/list.tsx": `import { ask } from "../../../client/hall-client.ts"; import { Row } from "../groups/row.tsx"; export const l = [ask, Row];`,
  "guild-members/example/server.ts": `import { query } from "@anthropic-ai/claude-agent-sdk"; export const q = query;`,
};

/** For each rule one change to the sound tree that breaks this rule and no other. */
const planted: Record<string, Tree> = {
  "layers-are-listed": { "src/plumbing/pipe.ts": `export const pipe = 1;` },
  "schema-is-a-leaf": { "src/schema/late.ts": `import { s } from "../core/session/session.ts"; export const late = s;` },
  "core-sees-schema": { "src/core/session/save.ts": `export const save = () => import("../../adapters/files/store.ts");` },
  "adapters-see-core": {
    "src/adapters/files/shout.ts": `import type { hall } from "../../server/compose.ts"; export type H = typeof hall;`,
  },
  "scripted-model-sees-core": { "src/scripted-model/peek.ts": `export * from "../adapters/files/store.ts";` },
  "server-sees-no-clients": { "src/server/ask.ts": `import { client } from "../client/client.ts"; export const ask = client;` },
  "client-sees-schema": { "src/client/short-cut.ts": `import type { Runner } from "../core/agent/port.ts"; export type R = Runner;` },
  "cli-sees-client-and-four-entries": { "src/cli/serve.ts": `import { hall } from "../server/compose.ts"; export const serve = hall;` },
  "web-sees-client": { "src/web/app/data.ts": `export type Hall = import("../../server/compose.ts").Hall;` },
  "templates-stand-alone": {
    "templates/member/server.ts": `import { q } from "../../guild-members/example/server.ts"; export const p = q;`,
  },
  "members-stand-alone": { "guild-members/other/server.ts": `import { q } from "../example/server.ts"; export const p = q;` },
  "schema-runs-anywhere": { "src/schema/file.ts": `import { sep } from "node:path"; export const s = sep;` },
  "core-runs-anywhere": { "src/core/session/yaml.ts": `import { parse } from "yaml"; export const y = parse;` },
  "client-runs-anywhere": { "src/client/socket.ts": `import { connect } from "net"; export const c = connect;` },
  "core-areas-are-peers": { "src/core/roster/card.ts": `import { s } from "../session/session.ts"; export const card = s;` },
  "adapters-are-peers": { "src/adapters/agent/keep.ts": `import type { Store } from "../files/store.ts"; export type S = Store;` },
  "only-compose-builds-adapters": {
    "src/server/api/list.ts": `import { store } from "../../adapters/files/store.ts"; export const l = store;`,
  },
  "only-the-agent-adapter-imports-the-sdk": {
    "src/server/warm.ts": `import type { Options } from "@anthropic-ai/claude-agent-sdk"; export type O = Options;`,
  },
  "react-stays-in-web": { "src/server/render.ts": `import { createElement } from "react"; export const c = createElement;` },
  "elements-and-groups-do-not-ask-the-hall": {
    "src/web/components/groups/button.tsx": `import { ask } from "../../../client/hall-client.ts"; export const Button = () => <b>{ask}</b>;`,
  },
  "only-pages-know-components": {
    "src/web/live/shown.ts": `import { Row } from "../components/groups/row.tsx"; export const shown = Row;`,
  },
  "product-does-not-import-tests": { "src/adapters/files/probe.ts": `export const probe = () => import("./store.test.ts");` },
  "imports-name-their-file": { "src/web/app/alias.ts": `import { client } from "@/client/client"; export const a = client;` },
  "no-cycles": {
    "src/core/session/a.ts": `import { b } from "./b.ts"; export const a = b;`,
    "src/core/session/b.ts": `import { a } from "./a.ts"; export const b = a;`,
  },
};

let root: string | undefined;

afterEach(async () => {
  if (root !== undefined) await rm(root, { recursive: true });
  root = undefined;
});

describe("arrows", () => {
  it("find nothing amiss in a tree that keeps to them", async () => {
    const graph = await readImportGraph(await plant(sound));

    expect(graph.modules).toEqual(Object.keys(sound).toSorted());
    expect(findBreaches(graph)).toEqual([]);
  });

  it.each(rules.map(({ name }) => name))("%s is broken by its planted breach, and no other rule is", async (name) => {
    const breach = planted[name];
    expect(breach, `no breach is planted for ${name}`).toBeDefined();

    const found = findBreaches(await readImportGraph(await plant({ ...sound, ...breach })));

    expect([...new Set(found.map(({ rule }) => rule))]).toEqual([name]);
  });

  it("refuse a file they cannot read, so that it cannot hide an import", async () => {
    const broken = await plant({ "src/core/session/torn.ts": `import { x } from` });

    await expect(readImportGraph(broken)).rejects.toThrow(/src\/core\/session\/torn\.ts does not parse/);
  });

  it("have a planted breach for every rule and for nothing else", () => {
    expect(Object.keys(planted).toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
  });
});

async function plant(tree: Tree): Promise<string> {
  root = await mkdtemp(join(tmpdir(), "arrows-"));
  for (const [path, source] of Object.entries(tree)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), source);
  }
  return root;
}
