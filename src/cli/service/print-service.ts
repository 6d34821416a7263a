import { fileURLToPath } from "node:url";
import { HallError } from "../../schema/hall-error.ts";
import { createMachine, envFileName } from "../../server/without-hall.ts";
import { chooseHome } from "../chosen-home.ts";
import type { CommandContext } from "../command-context.ts";
import { quoted, safeText } from "../safe-text.ts";
import type { ServeFlags } from "../serve-settings.ts";
import { launchdPlist } from "./launchd-plist.ts";
import { planService } from "./service-plan.ts";
import type { Installation, ServicePlan } from "./service-plan.ts";
import { serviceWarnings } from "./service-warnings.ts";
import { systemdUnit } from "./systemd-unit.ts";

export type ServiceFlags = ServeFlags & { systemd?: boolean; launchd?: boolean };

type Kind = "systemd" | "launchd";

const kinds: Record<Kind, { write: (plan: ServicePlan) => string; file: string }> = {
  systemd: { write: systemdUnit, file: "~/.config/systemd/user/guild-hall.service" },
  launchd: { write: launchdPlist, file: "~/Library/LaunchAgents/guild-hall.plist" },
};

/** The service goes to stdout and nothing else does, so that it can be written straight to its place. */
export async function printService(flags: ServiceFlags, { printer, shell }: CommandContext): Promise<void> {
  const { write, file } = kinds[wantedKind(flags, process.platform)];
  const folder = shell.cwd();
  const { env, warnings } = await chooseHome(flags.home, shell);
  const plan = planService({ flags, env, folder, installation: thisInstallation });
  // What the service will find by itself: an environment of nothing but the files.
  const files = { [envFileName]: shell.env[envFileName], NODE_ENV: "production" as const };
  const there = await createMachine({ env: files, folder: plan.home }).environment(plan.home);
  for (const warning of new Set([...warnings, ...there.warnings, ...serviceWarnings(plan, env, there.env)]))
    printer.warn(safeText(warning));
  const text = write(plan);
  printer.result({ file, text, command: plan.command, keys: plan.keys }, text.trimEnd());
  printer.progress(`Save it as ${file}; what to do then stands at its top. Keys go into ${quoted(plan.keys)}.`);
}

/** This program as it runs now. The launcher lies as far up from here in the checkout as in the package. */
const thisInstallation: Installation = {
  node: process.execPath,
  launcher: fileURLToPath(new URL("../../../bin/guild-hall.js", import.meta.url)),
};

function wantedKind({ systemd, launchd }: ServiceFlags, platform: NodeJS.Platform): Kind {
  if (systemd === true && launchd === true) throw new HallError("bad_request", "A service is for systemd or for launchd. Choose one.");
  if (systemd === true) return "systemd";
  if (launchd === true) return "launchd";
  if (platform === "linux") return "systemd";
  if (platform === "darwin") return "launchd";
  throw new HallError("bad_request", "This machine has neither systemd nor launchd. Say which of them it is for: --systemd or --launchd.");
}
