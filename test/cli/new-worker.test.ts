import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Manifest } from "../../src/schema/manifest.ts";
import { startHallProcess } from "../running-hall.ts";
import { untilConnected } from "../server/members-by-hand.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCli } from "./run-cli.ts";

describe("guild-hall new worker", () => {
  it("copies the researcher into a running hall, which finds it, and its jobs come to a result (REQ-WD-40, REQ-WD-42, REQ-WD-43)", async () => {
    const hall = await startHallProcess();
    const folder = join(hall.home, "guild-members/librarian");

    const made = await runCli(["new", "worker", "librarian", "--home", hall.home, "--yes"]);
    const prompt = join(folder, "prompt.ts");
    await writeFile(prompt, (await readFile(prompt, "utf8")).replaceAll(/researcher/gi, "librarian"));
    await runCli(["member", "restart", "librarian", "--home", hall.home]);
    await untilConnected(hall, "librarian");
    const done = await runCli(["job", "dispatch", "librarian", "What is a guild?", "--follow", "--home", hall.home]);
    const [jobId = "", ...others] = await readdir(join(folder, "jobs"));

    expect(made.stderr).toContain(`These files will be written to ${folder}: `);
    expect(made.stdout).toMatch(/librarian is connected and takes jobs\. Rehearse it: guild-hall rehearse librarian\./);
    expect(Manifest.parse(JSON.parse(await readFile(join(folder, "guild-member.json"), "utf8")))).toMatchObject({
      name: "librarian",
      displayName: "Librarian",
      capabilities: ["worker"],
    });
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/\S/) as unknown });
    expect(others).toEqual([]);
    expect(await readFile(join(folder, "jobs", jobId, "task.md"), "utf8")).toContain("What is a guild?");
    expect(await readFile(join(folder, "jobs", jobId, "result.md"), "utf8")).toContain(done.stdout.trim());
  });

  it("works where no hall is open, its rehearsal passes at once, and a taken name is refused", async () => {
    const home = join(await temporaryFolder(), "home");
    await mkdir(join(home, "guild-members"), { recursive: true });
    const make = () => runCli(["new", "worker", "clerk", "--home", home, "--yes", "--json"]);

    const made = await make();
    const rehearsed = await runCli(["rehearse", "clerk", "--home", home]);
    const again = await make();

    const folder = join(home, "guild-members/clerk");
    expect(JSON.parse(made.stdout)).toEqual({ name: "clerk", folder, isRunning: false });
    expect(rehearsed).toMatchObject({ code: 0, stdout: expect.stringContaining("The rehearsal went well.") as unknown });
    expect(await readFile(join(folder, "README.md"), "utf8")).toMatch(/^# Clerk\n/);
    expect(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))).toMatchObject({
      type: "module",
      dependencies: {
        "@anthropic-ai/claude-agent-sdk": expect.stringMatching(/^\^\d/) as unknown,
        "@modelcontextprotocol/sdk": expect.stringMatching(/^\^\d/) as unknown,
        zod: expect.stringMatching(/^\^\d/) as unknown,
      },
    });
    expect(again).toMatchObject({ code: 4 });
    expect((await readdir(folder)).filter((name) => name === "jobs" || name === "memory")).toEqual([]);
  });
});
