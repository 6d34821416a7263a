import { MemberName } from "../../../schema/ids.ts";
import { freeName, proposeName } from "../../../schema/propose-name.ts";
import { AddMember } from "../../../schema/roster.ts";
import type { Transport } from "../../../schema/manifest.ts";
import { joinCommandLine, splitCommandLine } from "../../format/command-line.ts";
import type { SplitCommand } from "../../format/command-line.ts";

/** A member as it is being written in the dialog. The command is one line, or a program and its arguments, one on each line. */
export type MemberDraft = {
  name: string;
  transport: Transport;
  writtenAs: "line" | "parts";
  line: string;
  program: string;
  arguments: string;
  variables: string;
};

export type DraftField = "name" | "command" | "variables";
export type CheckedDraft = { member: AddMember; errors: null } | { member: null; errors: Partial<Record<DraftField, string>> };

export const emptyDraft: MemberDraft = {
  name: "",
  transport: "stdio",
  writtenAs: "line",
  line: "",
  program: "",
  arguments: "",
  variables: "",
};

export function partsOf(draft: MemberDraft): SplitCommand {
  if (draft.writtenAs === "line") return splitCommandLine(draft.line);
  const program = draft.program.trim();
  return { parts: program === "" ? [] : [program, ...linesOf(draft.arguments)], problem: null };
}

/** The same command written the other way; null where that cannot be done without changing it. */
export function rewritten(draft: MemberDraft): MemberDraft | null {
  const { parts } = partsOf(draft);
  if (parts === null) return null;
  if (draft.writtenAs === "parts") return { ...draft, writtenAs: "line", line: joinCommandLine(parts) };
  const [program = "", ...args] = parts;
  if (args.some((part) => part.includes("\n"))) return null;
  return { ...draft, writtenAs: "parts", program, arguments: args.join("\n") };
}

/** The name it gets where the person writes none. */
export function proposedName(draft: MemberDraft, taken: ReadonlySet<string>): string {
  const { parts } = partsOf(draft);
  return parts === null || parts.length === 0 ? "" : freeName(proposeName(parts), taken);
}

/** What would be added, or what is to be put right first, by field. */
export function checkDraft(draft: MemberDraft, taken: ReadonlySet<string>): CheckedDraft {
  const split = partsOf(draft);
  if (split.parts === null) return wrong("command", split.problem);
  const [command, ...args] = split.parts;
  if (command === undefined) return wrong("command", "Write the program to start, and its arguments.");
  if (/^[A-Za-z_]\w*=/.test(command))
    return wrong("command", `${command.slice(0, 60)} sets a variable. Write it under Environment variables.`);
  const name = draft.name.trim() === "" ? proposedName(draft, taken) : draft.name.trim();
  if (taken.has(name)) return wrong("name", `There is a member called ${name} already. Choose another name.`);
  const named = MemberName.safeParse(name);
  if (!named.success) return wrong("name", `The name ${named.error.issues[0]?.message ?? "is not valid"}.`);
  const variables = readVariables(draft.variables);
  if (variables.problem !== null) return wrong("variables", variables.problem);
  const member: AddMember = { name: named.data, transport: draft.transport, command, args, env: variables.env, confirmed: true };
  const checked = AddMember.safeParse(member);
  if (checked.success) return { member, errors: null };
  const [issue] = checked.error.issues;
  return wrong(issue?.path[0] === "env" ? "variables" : "command", `${issue?.path.join(" ") ?? "It"} ${issue?.message ?? "is not valid"}.`);
}

const wrong = (field: DraftField, message: string): CheckedDraft => ({ member: null, errors: { [field]: message } });

/** An empty last line is the end of the line before it, not an argument. */
const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

function readVariables(text: string): { env: Record<string, string>; problem: null } | { problem: string } {
  const env: Record<string, string> = {};
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const at = line.indexOf("=");
    if (at < 1) return { problem: `“${line.trim().slice(0, 60)}” is no variable. Write NAME=value, one on each line.` };
    env[line.slice(0, at).trim()] = line.slice(at + 1);
  }
  return { env, problem: null };
}
