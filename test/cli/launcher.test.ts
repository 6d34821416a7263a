import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { launcher, machineNode, runCli } from "./run-cli.ts";

/** A copy of the launcher in a folder of its own, where no packages are. */
async function loneLauncher(manifest: object = {}): Promise<{ folder: string; file: string }> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "bin"));
  await copyFile(launcher, join(folder, "bin/guild-hall.js"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", ...manifest }));
  return { folder, file: join(folder, "bin/guild-hall.js") };
}

/** The Node that a hall would bring to this machine. */
const optionalDependencies = { [`node-${process.platform}-${process.arch}`]: "24.0.0" };

/** Makes whatever Node runs the launcher look like an old one. */
const pretence = Buffer.from('Object.defineProperty(process, "versions", { value: { node: "20.0.0" } })').toString("base64");
const asNode20 = { NODE_OPTIONS: `--import=data:text/javascript;base64,${pretence}` };

describe("the launcher", () => {
  it("runs the hall on the Node it brings where the machine's is older", async () => {
    const { code, stdout } = await runCli(["doctor", "--json", "--home", await temporaryFolder()], { node: machineNode() });

    expect(code).toBe(0);
    expect(stdout).toMatch(/Node (2[4-9]|[3-9]\d)\.\d+\.\d+ is in use/);
  });

  it("passes on arguments, output and exit code", async () => {
    const result = await runCli(["serve", "--prot", "1"], { node: machineNode() });

    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain("Did you mean --port?");
  });

  it.each([
    [
      "that its Node is missing",
      { optionalDependencies },
      /and the Node that comes with Guild Hall is missing; .* --include=optional\)\.\n$/,
    ],
    ["that it has no Node for this platform", {}, /and it brings none for \w+ \w+; install a newer Node\.\n$/],
  ])("says in one sentence %s", async (_what, manifest, sentence) => {
    const { folder, file } = await loneLauncher(manifest);
    await mkdir(join(folder, "dist/cli"), { recursive: true });
    await writeFile(join(folder, "dist/cli/main.js"), "");

    const result = await runCli(["serve"], { launcher: file, env: asNode20 });

    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(/^guild-hall: Guild Hall needs Node 24, this is Node 20\.0\.0, .*\n$/);
    expect(result.stderr).toMatch(sentence);
  });

  it("says in one sentence that it is alone", async () => {
    const { file } = await loneLauncher();

    const result = await runCli(["serve"], { launcher: file });

    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toBe("guild-hall: This copy of Guild Hall is incomplete: it has neither dist/ nor src/. Install it again.\n");
  });
});
