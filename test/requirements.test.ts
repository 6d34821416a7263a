import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { collectCitations } from "./requirement-citations.ts";
import { finishedWaves, requirements, waves } from "./requirements.ts";

const root = join(import.meta.dirname, "..");

it("no test cites a requirement that does not exist", async () => {
  const unknown = (await collectCitations(root)).filter(({ id }) => !(id in requirements));

  expect(unknown).toEqual([]);
});

it("every requirement of a finished wave has a test that names it", async () => {
  const proven = new Set((await collectCitations(root)).map(({ id }) => id));

  const unproven = Object.entries(requirements).filter(([id, [wave]]) => finishedWaves.includes(wave) && !proven.has(id));
  const toCome = Object.keys(requirements).length - proven.size;
  console.log(`${proven.size} requirements have a test; ${toCome} are still to come.`);

  expect(unproven.map(([id, [, title]]) => `${id}: ${title}`)).toEqual([]);
});

it("every wave has requirements, and every finished wave is a wave", () => {
  const used = new Set(Object.values(requirements).map(([wave]) => wave));

  expect([...used].toSorted()).toEqual(waves.toSorted());
  expect(finishedWaves.filter((wave) => !waves.includes(wave))).toEqual([]);
});

it("only names of tests and suites count as citations", async () => {
  const folder = await mkdtemp(join(tmpdir(), "citations-"));
  await mkdir(join(folder, "test"));
  const source = `
    // REQ-GH1-1 in a comment
    const note = "SEC-1 in a string";
    describe("a suite (SEC-2)", () => {
      it("plain (REQ-GH1-4)", () => {});
      it.each([1])("each (REQ-WKR-4a, DEL-CREATE-REVIEW, WD-SC-12, GH1-SC-10, WKR-AIV-1)", () => {});
      it(\`in \${note} (SEC-17)\`, () => {});
    });`;
  await writeFile(join(folder, "test", "some.test.ts"), source);

  const ids = (await collectCitations(folder)).map(({ id }) => id);
  await rm(folder, { recursive: true });

  expect(ids.toSorted()).toEqual(["DEL-CREATE-REVIEW", "GH1-SC-10", "REQ-GH1-4", "REQ-WKR-4a", "SEC-17", "SEC-2", "WD-SC-12", "WKR-AIV-1"]);
});
