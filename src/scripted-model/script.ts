import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { explainIssues } from "../schema/explain-issues.ts";
import { HallError } from "../schema/hall-error.ts";
import { nearestName } from "../schema/nearest-name.ts";
import { Expectations } from "./expectations.ts";
import { placeholderNames, placeholdersIn } from "./placeholders.ts";
import { flag, group, pacing, Reply, text, whole } from "./reply.ts";

const oneOrMore = z.union([text, z.array(text).min(1)], "must be a text, or a list of texts of which one has to fit");

/** Every condition that is given must hold. Texts are compared without regard to case. */
const Condition = group({
  systemContains: oneOrMore.optional(),
  /** Of the person's last message. */
  userContains: oneOrMore.optional(),
  /** The person's whole last message; `*` stands for any text. */
  userMatches: oneOrMore.optional(),
  /** Of any result of the last round of tools. */
  toolResultContains: oneOrMore.optional(),
  toolFailed: flag.optional(),
  afterTool: oneOrMore.optional(),
  toolOffered: oneOrMore.optional(),
  toolNotOffered: oneOrMore.optional(),
  /** 1 is the first answer to a message of the person, 2 the one after the first round of tools. */
  step: whole(1).optional(),
  /** 1 is the person's first message of the conversation. */
  userMessage: whole(1).optional(),
});
export type Condition = z.infer<typeof Condition>;

const Turn = group({
  when: Condition.optional(),
  /** Answers only so often at one point of one conversation; after that the turns below are asked. */
  times: whole(1).optional(),
  reply: Reply,
});
export type Turn = z.infer<typeof Turn>;

/** What the model says, as data: the first turn whose condition holds answers. */
const Script = group({
  name: text.optional(),
  description: text.optional(),
  /** For replies that do not say it themselves. */
  defaults: group(pacing).optional(),
  turns: z.array(Turn, "must be a list of turns").min(1, "must hold at least one turn"),
  /** For a rehearsal: what the worker is to have done at the end. */
  expect: Expectations.optional(),
}).superRefine((script, context) => {
  for (const [index, turn] of script.turns.entries()) {
    const unknown = placeholdersIn(turn.reply).find((name) => !placeholderNames.includes(name));
    if (unknown !== undefined) context.addIssue({ code: "custom", message: unknownPlaceholder(unknown), path: ["turns", index, "reply"] });
  }
});
export type Script = z.infer<typeof Script>;

/** Reads a script from YAML or JSON, which is YAML too. `fileName` is for the error. */
export function parseScript(source: string, fileName: string): Script {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const syntaxError = document.errors[0];
  if (syntaxError !== undefined) {
    throw new HallError("invalid_config", `The script ${fileName} is not valid YAML: ${syntaxError.message.trimEnd()}`, {
      cause: syntaxError,
    });
  }
  const lineOf = (path: readonly PropertyKey[]): string => {
    const node: unknown = document.getIn(path, true);
    const range = typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range) ? Number(node.range[0]) : 0;
    return `${fileName} line ${lines.linePos(range).line}`;
  };
  return check(document.toJS(), lineOf);
}

/** The same for a script that is data already. */
export const checkScript = (value: unknown, name: string): Script => check(value, () => name);

function check(value: unknown, place: (path: readonly PropertyKey[]) => string): Script {
  const parsed = Script.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = explainIssues(Script, value, parsed.error).map((issue) => `${place(issue.path)}: ${issue.message}`);
  throw new HallError("invalid_config", `This script cannot be played.\n${issues.join("\n")}`, {
    cause: parsed.error,
    details: { issues },
  });
}

function unknownPlaceholder(name: string): string {
  const nearest = nearestName(name, placeholderNames);
  const advice = nearest === null ? `known are: ${placeholderNames.map(braced).join(", ")}` : `did you mean ${braced(nearest)}?`;
  return `uses the unknown placeholder ${braced(name)}; ${advice}`;
}

const braced = (name: string): string => `{{${name}}}`;
