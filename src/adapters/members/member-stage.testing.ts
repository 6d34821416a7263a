import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { MemberLauncher, MemberLife } from "../../core/roster/member-launcher.ts";
import { MemberName } from "../../schema/ids.ts";
import { Manifest } from "../../schema/manifest.ts";
import type { ConnectionStep } from "../../schema/roster.ts";
import type { ToolDefinition } from "../../schema/tool.ts";
import type { Layout } from "../files/layout.ts";
import { createMemberLauncher } from "./member-launcher.ts";
import type { MemberLauncherDeps } from "./launcher-deps.ts";
import { launcherDeps } from "./orphan-maker.testing.ts";

export type MemberStage = {
  launcher: MemberLauncher;
  layout: Layout;
  folder: string;
  problems: unknown[];
  launch(manifest: Pick<Manifest, "transport" | "mcp"> & Partial<Manifest>): LaunchedMember;
};

export type LaunchedMember = MemberLife & {
  name: MemberName;
  steps: Map<ConnectionStep["name"], ConnectionStep>;
  /** Every list of tools it told, the newest last. */
  lists: (readonly ToolDefinition[])[];
  stderr(): string;
  leftOut(): readonly string[];
  connected: Promise<readonly ToolDefinition[]>;
  /** The reason of its end. */
  ended: Promise<string | null>;
  ask(tool: string, input?: Record<string, unknown>): Promise<string>;
};

/** A launcher on a home folder of its own. What a test launches is gone when the test is over. */
export async function setMemberStage(change: Partial<MemberLauncherDeps> = {}): Promise<MemberStage> {
  const folder = await temporaryFolder();
  const problems: unknown[] = [];
  const { layout, ...deps } = launcherDeps(join(folder, "home"));
  const launcher = createMemberLauncher({ ...deps, onProblem: (error) => problems.push(error), ...change });
  let count = 0;
  return {
    launcher,
    layout,
    folder,
    problems,
    launch(part) {
      count += 1;
      const name = MemberName.parse(part.name ?? `played-${count}`);
      const manifest = Manifest.parse({ name, displayName: "Played", description: "A member of a test.", version: "1.0.0", ...part });
      return launchOn(launcher, folder, manifest);
    },
  };
}

function launchOn(launcher: MemberLauncher, folder: string, manifest: Manifest): LaunchedMember {
  const steps: LaunchedMember["steps"] = new Map();
  const lists: LaunchedMember["lists"] = [];
  let stderr = "";
  let leftOut: readonly string[] = [];
  const connected = Promise.withResolvers<readonly ToolDefinition[]>();
  const ended = Promise.withResolvers<string | null>();
  connected.promise.catch(() => undefined);
  const life = launcher.launch(
    { name: manifest.name, folder, manifest },
    {
      onStep: (step) => steps.set(step.name, step),
      onSpawn: () => undefined,
      onStderr: (text) => (stderr = (stderr + text).slice(-65_536)),
      onTools(tools, unusable) {
        lists.push(tools);
        leftOut = unusable;
        connected.resolve(tools);
      },
      onEnded(reason) {
        ended.resolve(reason);
        connected.reject(new Error(`It ended before it was connected: ${reason}`));
      },
    },
  );
  onTestFinished(() => life.end());
  return {
    ...life,
    name: manifest.name,
    steps,
    lists,
    stderr: () => stderr,
    leftOut: () => leftOut,
    connected: connected.promise,
    ended: ended.promise,
    async ask(tool, input = {}) {
      const { content } = await life.call(tool, input, new AbortController().signal);
      const [first] = content;
      return first?.type === "text" ? first.text : JSON.stringify(content);
    },
  };
}

/** A process that is dead and only not yet collected does not run. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}
