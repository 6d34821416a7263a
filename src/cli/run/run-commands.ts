import type { LimitKind } from "../../schema/run.ts";
import { table } from "../table.ts";

/** What can be typed about a run that waits: `session` commands for the run of a session's message, `runs` commands for any other. */
export type RunCommands = { group: "session" | "runs"; id: string };

export const typedCommand = ({ group, id }: RunCommands, verb: string): string => `guild-hall ${group} ${verb} ${id}`;

/** The commands with which a person decides about a run that waits at its own limit. */
export const decisions = (run: RunCommands, limit: LimitKind): string =>
  [
    "It waits until you decide:",
    ...table([
      [`${typedCommand(run, "raise")} <${unitOf(limit)}>`, "raises the limit, and it resumes"],
      [typedCommand(run, "finish"), "ends it with what there is"],
      [typedCommand(run, "stop"), "stops it"],
    ]).map((row) => `  ${row}`),
  ].join("\n");

export const unitOf = (limit: LimitKind): string => (limit === "turns" ? "turns" : "dollars");
