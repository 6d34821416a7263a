import { dirname } from "node:path";
import { MemberName } from "../../schema/ids.ts";
import { Manifest } from "../../schema/manifest.ts";
import { createLayout } from "../files/layout.ts";
import { createMemberRecords } from "../files/members/member-records.ts";
import { createMemberLauncher } from "./member-launcher.ts";
import type { MemberLauncherDeps } from "./launcher-deps.ts";
import { playedBy } from "./played-member.testing.ts";

/** What a launcher needs on a home folder, with limits that no test waits for. */
export function launcherDeps(home: string): MemberLauncherDeps & { layout: ReturnType<typeof createLayout> } {
  const layout = createLayout(home);
  const onProblem = (error: unknown) => void process.stderr.write(`${String(error)}\n`);
  return {
    layout,
    limits: { startsAtOnce: 4, handshakeMs: 60_000, callMs: 60_000 },
    version: "0.0.0-test",
    hostEnv: process.env,
    nodeFolder: dirname(process.execPath),
    modelEnv: () => ({}),
    homeOf: layout.memberHome,
    records: createMemberRecords({ layout, onProblem }),
    now: () => new Date().toISOString(),
    onProblem,
  };
}

/** As a program: a hall with one member that has forked, which prints the pids of all four and waits to be killed. */
if (import.meta.main) {
  const [home = "", transport] = process.argv.slice(2);
  const name = MemberName.parse("left");
  const played = playedBy(transport === "http" ? "http" : "stdio", "well");
  const manifest = Manifest.parse({ name, displayName: "Left", description: "Left behind.", version: "1.0.0", ...played });
  const ignore = () => undefined;
  const connected = Promise.withResolvers<null>();
  const watch = { onStep: ignore, onSpawn: ignore, onStderr: ignore, onEnded: ignore, onTools: () => connected.resolve(null) };
  const life = createMemberLauncher(launcherDeps(home)).launch({ name, folder: home, manifest }, watch);
  await connected.promise;
  const ask = async (tool: string) => (await life.call(tool, {}, new AbortController().signal)).content[0];
  const answers = [await ask("pid"), await ask("fork"), await ask("fork-away"), await ask("fork-forsaken")];
  process.stdout.write(`${answers.map((answer) => (answer?.type === "text" ? answer.text : "")).join(" ")}\n`);
}
