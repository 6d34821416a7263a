import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { collectCitations } from "../requirement-citations.ts";
import type { Citation } from "../requirement-citations.ts";
import { finishedWaves, requirements } from "../requirements.ts";

const root = join(import.meta.dirname, "../..");
const rules = Object.entries(requirements).filter(([id]) => id.startsWith("SEC-"));

/** Where docs/security.md says that a rule is attacked, or why it cannot be yet. */
type Row = { files: string[]; sentence: string };

/** Tests of these folders have a hall that runs, as `guild-hall serve`. */
const withRunningHall = /^test\/(?:attacks|server|cli|web)\//;

let rows: Map<string, Row>;
let citations: Citation[];

beforeAll(async () => {
  rows = await readRows();
  const named = [...rows.values()].flatMap(({ files }) => files);
  citations = await collectCitations(root, [...new Set(["test/attacks/*.ts", ...named])]);
});

it("every rule of docs/security.md is attacked in a hall that runs, or the document says why it cannot be yet", () => {
  expect([...rows.keys()]).toEqual(rules.map(([id]) => id));
  for (const [id, [wave]] of rules) {
    const { files = [], sentence = "" } = rows.get(id) ?? {};
    const isAttacked = files.some((file) => withRunningHall.test(file));
    expect([id, isAttacked || /^Nothing to attack yet: \w.+\.$/.test(sentence)]).toEqual([id, true]);
    expect([id, finishedWaves.includes(wave)]).toEqual([id, isAttacked]);
  }
});

it("every test file that docs/security.md names attacks the rule it is named for", () => {
  const missing = [...rows].flatMap(([id, { files }]) =>
    files.filter((file) => !citations.some((each) => each.id === id && each.file === file)).map((file) => `${id}: ${file}`),
  );

  expect(missing).toEqual([]);
});

it("every attack is named for the rule it is on, in the document too", () => {
  const attacks = citations.filter(({ file }) => file.startsWith("test/attacks/"));

  expect(attacks.length).toBeGreaterThan(30);
  expect(attacks.filter(({ id, file }) => rows.get(id)?.files.includes(file) !== true)).toEqual([]);
});

async function readRows(): Promise<Map<string, Row>> {
  const text = await readFile(join(root, "docs/security.md"), "utf8");
  const rows = [...text.matchAll(/^- \*\*(SEC-\d+): [^*]+\*\* .+\n\n {2}(?:Attacked by )?(.+)$/gm)];
  return new Map(
    rows.map(([, id = "", by = ""]) => [id, { files: [...by.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ""), sentence: by }]),
  );
}
