import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { failureOf } from "../failure-of.testing.ts";
import { createLayout } from "../layout.ts";
import { createWorkerFiles } from "./worker-files.ts";

async function definitionsOf(text: string) {
  const home = await temporaryFolder();
  await mkdir(join(home, "workers"));
  await writeFile(join(home, "workers/clerk.yaml"), text);
  return createWorkerFiles(createLayout(home));
}

const clerk = "name: clerk\ninstructions: You are a clerk.\n";

describe("the definition of a worker", () => {
  it("is read with its defaults, and there is none of another name", async () => {
    const definitions = await definitionsOf(clerk);

    expect(await definitions.read("clerk")).toMatchObject({ allow_workers: [], sandboxes: {}, limits: { max_turns: 150 } });
    expect(await Promise.all(["clerk", "desk", "../clerk", "__proto__"].map(definitions.has))).toEqual([true, false, false, false]);
    expect((await failureOf(definitions.read("../clerk"))).code).toBe("not_found");
  });

  it.each([
    ["an unknown key", `${clerk}allow_worker: []\n`, /unknown key "allow_worker"; did you mean "allow_workers"\?/],
    ["another name", clerk.replace("clerk", "desk"), /its name is "desk", and the file's is "clerk"/],
    ["broken YAML", "name: [", /not valid YAML/],
    ["a sandbox that leads out", `${clerk}sandboxes: { out: { path: ../out } }\n`, /must be relative, without \.\./],
    ["a sandbox at the root", `${clerk}sandboxes: { out: { path: / } }\n`, /must be relative/],
  ])("is refused with %s, in words", async (_what, text, words) => {
    const definitions = await definitionsOf(text);

    const { code, message } = await failureOf(definitions.read("clerk"));

    expect(code).toBe("invalid_config");
    expect(message).toMatch(words);
  });

  it.each([".", "./", "state", "./state/agents", "guild-members/evil", "Workers", "jobs", ".index", ".env.local"])(
    "is refused with a sandbox in %s, which is the hall's (SEC-10)",
    async (path) => {
      const definitions = await definitionsOf(`${clerk}sandboxes: { out: { path: ${path}, mode: rw } }\n`);

      expect((await failureOf(definitions.read("clerk"))).message).toContain("where the hall keeps its own files");
    },
  );
});
