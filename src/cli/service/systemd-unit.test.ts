import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { oddPlan } from "./odd-paths.testing.ts";
import { planService } from "./service-plan.ts";
import { systemdUnit } from "./systemd-unit.ts";
import { commandOf, valueOf, withoutSpecifiers, wordsOf } from "./systemd-words.testing.ts";

const run = promisify(execFile);
const throughShell = ["/bin/sh", "-c", 'exec "$0" "$@"'];

describe("a unit for systemd", () => {
  it("says the same as its plan, whatever the names of folders are made of", () => {
    fc.assert(
      fc.property(oddPlan, (plan) => {
        const unit = systemdUnit(plan);

        const command = commandOf(unit);
        expect(command.slice(command[0] === "/bin/sh" ? throughShell.length : 0)).toEqual(plan.command);
        expect(withoutSpecifiers(valueOf(unit, "WorkingDirectory"))).toBe(`${plan.home}/`);
        expect(plan.searchPath === "" ? [] : wordsOf(valueOf(unit, "Environment"))).toEqual(
          plan.searchPath === "" ? [] : [`PATH=${plan.searchPath}`],
        );
      }),
    );
  });

  it("starts a program in a folder of the oddest name with exactly the arguments of its plan", async () => {
    const folder = join(await temporaryFolder(), 'it\'s "50%" of $HOME \\ für 語');
    await mkdir(folder);
    const installation = { node: join(folder, "node"), launcher: join(folder, "echo.cjs") };
    await symlink(process.execPath, installation.node);
    await writeFile(installation.launcher, "console.log(JSON.stringify(process.argv.slice(2)))");
    const plan = planService({ flags: { home: join(folder, "home") }, env: {}, folder, installation });

    const [program = "", ...args] = commandOf(systemdUnit(plan));
    const { stdout } = await run(program, args);

    expect([program, ...args].slice(0, 3)).toEqual(throughShell);
    expect(JSON.parse(stdout)).toEqual(["serve", "--home", join(folder, "home")]);
  });

  it("is left as it is where names are plain", () => {
    const plan = planService({
      flags: { home: "/home/ada/.guild-hall", port: "4870" },
      env: { PATH: "/home/ada/bin:/usr/bin" },
      folder: "/",
      installation: { node: "/usr/bin/node", launcher: "/opt/guild-hall/bin/guild-hall.js" },
    });

    const unit = systemdUnit(plan);

    expect(valueOf(unit, "ExecStart")).toBe(
      "/usr/bin/node /opt/guild-hall/bin/guild-hall.js serve --home /home/ada/.guild-hall --port 4870",
    );
    expect(valueOf(unit, "Environment")).toBe("PATH=/home/ada/bin:/usr/bin");
    expect(unit).toContain("\n#   chmod 600 /home/ada/.guild-hall/.env.local\n");
  });

  it.runIf(existsSync("/usr/bin/systemd-analyze"))("is understood by systemd itself, where there is one", async () => {
    const folder = join(await temporaryFolder(), "half of it: 50% $x für 語");
    await mkdir(folder);
    const installation = { node: process.execPath, launcher: join(folder, "guild-hall.js") };
    const unit = systemdUnit(planService({ flags: { home: folder }, env: { PATH: `${folder}:/usr/bin` }, folder, installation }));
    const file = join(await temporaryFolder(), "guild-hall.service");
    await writeFile(file, unit);

    const { stdout, stderr } = await run("/usr/bin/systemd-analyze", ["verify", "--user", "--man=no", file], {
      env: { ...process.env, XDG_RUNTIME_DIR: dirname(file) },
    });

    // It looks at other units of the machine as well.
    expect(`${stdout}${stderr}`.split("\n").filter((line) => line.includes("guild-hall"))).toEqual([]);
  });
});
