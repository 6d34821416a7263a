import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { launchdPlist } from "./launchd-plist.ts";
import { oddPlan } from "./odd-paths.testing.ts";
import { parsePlist } from "./plist.testing.ts";
import { planService } from "./service-plan.ts";

describe("a property list for launchd", () => {
  it("says the same as its plan, whatever the names of folders are made of", () => {
    fc.assert(
      fc.property(oddPlan, (plan) => {
        expect(parsePlist(launchdPlist(plan))).toMatchObject({
          Label: "guild-hall",
          ProgramArguments: plan.command,
          WorkingDirectory: plan.home,
          ...(plan.searchPath === "" ? {} : { EnvironmentVariables: { PATH: plan.searchPath } }),
        });
      }),
    );
  });

  it("starts with the login, again after a failure only, and waits longer than a hall takes to stop", () => {
    const installation = { node: "/usr/local/bin/node", launcher: "/opt/guild-hall/bin/guild-hall.js" };
    const plan = planService({ flags: { home: "/Users/ada/.guild-hall" }, env: {}, folder: "/", installation });

    const list = parsePlist(launchdPlist(plan));

    expect(list).toEqual({
      Label: "guild-hall",
      ProgramArguments: [installation.node, installation.launcher, "serve", "--home", "/Users/ada/.guild-hall"],
      WorkingDirectory: "/Users/ada/.guild-hall",
      StandardOutPath: "/Users/ada/.guild-hall/logs/service.log",
      StandardErrorPath: "/Users/ada/.guild-hall/logs/service.log",
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 30,
      ExitTimeOut: 20,
      Umask: 0o077,
      HardResourceLimits: { Core: 0 },
    });
  });

  it("has commands in its comment that a shell takes as they are meant, also with dashes, which XML forbids there", async () => {
    const home = "/Users/ada's--hall/$HOME -- x";
    const installation = { node: "/node", launcher: "/guild-hall.js" };
    const plan = planService({ flags: { home }, env: {}, folder: "/", installation });

    const [, word = ""] = /^ {2}chmod 600 (.+)$/m.exec(launchdPlist(plan)) ?? [];
    const { stdout } = await promisify(execFile)("/bin/sh", ["-c", `printf %s ${word}`]);

    expect(stdout).toBe(`${home}/.env.local`);
  });
});
