import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createHallClient } from "../../src/client/hall-client.ts";
import { removeBundledMembers } from "../remove-bundled-members.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand } from "./command.ts";
import { machineNode, openHall, startCli } from "./run-cli.ts";

describe("guild-hall serve", () => {
  let home: string;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "guild-hall-test-"));
    home = join(folder, "home");
    return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** One for all tests of this home, whichever of them is run. */
  let begun: ReturnType<typeof firstStart> | undefined;
  const firstStart = async () => {
    const hall = await openHall(home, { node: machineNode() });
    const health = await createHallClient({ baseUrl: hall.url }).health();
    hall.pressCtrlC();
    const ended = await hall.ended;
    // They would take longer to start each time than the hall.
    await rm(join(home, "guild-members"), { recursive: true });
    await removeBundledMembers(home);
    return { health, entryUrl: hall.entryUrl, ...ended };
  };

  it("makes its home, prints the address on stdout, says on stderr what a first start needs, and stops on Ctrl-C, also when an older Node had to start it", async () => {
    const { health, entryUrl, code, signal, stdout, stderr } = await (begun ??= firstStart());

    expect(health.model.backend).toBe("demo");
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stdout).toBe(`Guild Hall is open at ${entryUrl}\n`);
    expect(entryUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\?code=[\w-]{22}$/);
    expect(stderr).toContain(`Everything is kept in ${home}`);
    expect(stderr).toContain("To connect Claude");
    expect(stderr).toMatch(/\nStopped\.\n$/);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  it("takes settings from flags, then the environment, then .env.local of the home, and says which are of that file; shows itself in the browser when asked to, by a file that nobody else can read (SEC-21), and goes when its launcher is killed", async () => {
    const folder = await temporaryFolder();
    for (const opener of ["xdg-open", "open"])
      await writeFile(join(folder, opener), `#!/bin/sh\necho "$1" > ${folder}/shown\n`, { mode: 0o755 });
    await removeBundledMembers(join(folder, "home"));
    const file = join(folder, "home/.env.local");
    await writeFile(file, "GUILD_HALL_MODEL=from-file\nGUILD_HALL_PORT=1\nANTHROPIC_API_KEY=sk-test\n", { mode: 0o644 });

    const PATH = [folder, process.env["PATH"]].join(delimiter);
    const hall = await openHall("home", { node: machineNode(), cwd: folder, args: ["--open"], env: { GUILD_HALL_PORT: "2", PATH } });
    const { model } = await createHallClient({ baseUrl: hall.url }).health();
    const page = join(folder, "home/state/open.html");
    await expect.poll(() => readFile(join(folder, "shown"), "utf8").catch(() => "")).toBe(`${page}\n`);
    expect(await readFile(page, "utf8")).toContain(`url=${hall.entryUrl}"`);
    expect((await stat(page)).mode & 0o777).toBe(0o600);
    hall.child.kill("SIGKILL");
    // Where the machine's Node is old, the hall is another process, and holds what it prints to as long as it lives.
    const { stderr } = await hall.ended;

    expect(model).toMatchObject({ backend: "claude", name: "from-file" });
    expect(stderr).toContain("can be read by other users of this machine. Close it with: chmod 600");
    expect(stderr).toContain(`\n${file} sets ANTHROPIC_API_KEY, GUILD_HALL_MODEL.\n`);
    expect(stderr).not.toContain("sk-test");
    expect(await readdir(join(folder, "home"))).toContain("version");
  });

  it("opens to the network only with a token, and says what that means; says nothing of a first start the second time, prints one JSON document, and says where it cannot open a browser (SEC-1)", async () => {
    await (begun ??= firstStart());

    const closed = await runCommand(["serve", "--home", home, "--host", "0.0.0.0"]);
    const empty = await runCommand(["serve", "--home", home], { env: { GUILD_HALL_TOKEN: "" } });
    const hall = startCli(["serve", "--home", home, "--port", "0", "--host", "0.0.0.0", "--json", "--open"], {
      env: { GUILD_HALL_TOKEN: "let-me-in", PATH: join(home, "nothing") },
    });
    await hall.says(/"url":/);
    const unseen = await hall.says(/no browser could be opened\. Open (\S+) yourself\./);
    const stranger = createHallClient({ baseUrl: new URL(unseen).origin });
    await expect(stranger.health()).rejects.toMatchObject({ code: "unauthorized" });
    const friend = await runCommand(["status", "--home", home, "--json"], { env: { GUILD_HALL_TOKEN: "let-me-in" } });
    hall.child.kill("SIGTERM");
    const { code, stdout, stderr } = await hall.ended;

    expect([closed.code, empty.code, code]).toEqual([2, 2, 0]);
    expect(closed.stderr).toMatch(/^Listening on 0\.0\.0\.0 .* GUILD_HALL_TOKEN .*\n$/);
    expect(empty.stderr).toMatch(/^GUILD_HALL_TOKEN is set but empty\. .*\n$/);
    expect(JSON.parse(stdout)).toMatchObject({
      url: new URL(unseen).origin,
      entryUrl: expect.stringContaining("/open?code=") as string,
      home,
      pid: hall.child.pid,
      model: { backend: "demo" },
    });
    expect(JSON.parse(friend.stdout)).toMatchObject({ home, pid: hall.child.pid });
    expect(stderr).toContain("Warning: this hall listens on 0.0.0.0.");
    expect(stderr).not.toMatch(/let-me-in|first start/);
  });
});
