import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandOf, valueOf } from "../../src/cli/service/systemd-words.testing.ts";
import { parsePlist } from "../../src/cli/service/plist.testing.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand } from "./command.ts";
import { launcher } from "./run-cli.ts";

describe("guild-hall service print", () => {
  it("prints a unit that runs this program on this home, and no key of the shell or of a file", async () => {
    const folder = await temporaryFolder();
    const home = join(folder, "my hall");
    await writeFile(join(folder, ".env.local"), "ANTHROPIC_API_KEY=secret-of-file\n", { mode: 0o600 });

    const { code, stdout, stderr } = await runCommand(["service", "print", "--systemd", "--port", "4999"], {
      cwd: folder,
      env: { GUILD_HALL_HOME: home, GUILD_HALL_TOKEN: "secret-of-shell", ANTHROPIC_AUTH_TOKEN: "secret-of-shell" },
    });

    expect(code).toBe(0);
    expect(commandOf(stdout)).toEqual([process.execPath, launcher, "serve", "--home", home, "--port", "4999"]);
    expect(valueOf(stdout, "WorkingDirectory")).toBe(`${home}/`);
    expect(stderr).toContain(`Write those it needs into ${join(home, ".env.local")}: ANTHROPIC_AUTH_TOKEN, GUILD_HALL_TOKEN.\n`);
    expect(stderr).toContain(`Warning: ${folder}/.env.local is not used`);
    expect(stderr).toContain("Save it as ~/.config/systemd/user/guild-hall.service;");
    expect(`${stdout}${stderr}`).not.toContain("secret");
  });

  it("prints a property list, and says nothing of keys that are in their place", async () => {
    const home = join(await temporaryFolder(), "R&D <hall>");
    await mkdir(home);
    await writeFile(join(home, ".env.local"), "ANTHROPIC_API_KEY=secret\n", { mode: 0o600 });

    const { stdout, stderr } = await runCommand(["service", "print", "--launchd", "--home", home], {
      env: { ANTHROPIC_API_KEY: "secret" },
    });

    expect(parsePlist(stdout)).toMatchObject({ ProgramArguments: [process.execPath, launcher, "serve", "--home", home] });
    expect(stderr).toMatch(/^Save it as ~\/Library\/LaunchAgents\/guild-hall\.plist;.*\n$/);
  });

  it("refuses to print both at once", async () => {
    const result = await runCommand(["service", "print", "--systemd", "--launchd"]);

    expect(result).toMatchObject({ code: 2, stdout: "", stderr: "A service is for systemd or for launchd. Choose one.\n" });
  });
});
