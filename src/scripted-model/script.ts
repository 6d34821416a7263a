import { parseDocument } from "yaml";
import { z } from "zod";
import { HallError } from "../schema/hall-error.ts";
import { pacing, Reply } from "./reply.ts";
import { placeholdersIn, placeholderNames } from "./placeholders.ts";

const oneOrMore = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

/** Every condition that is given must hold. Lists hold when one of their entries does. Text is compared without regard to case. */
export const Condition = z.strictObject({
  systemContains: oneOrMore.optional(),
  userContains: oneOrMore.optional(),
  /** The whole message; `*` stands for any text. */
  userMatches: oneOrMore.optional(),
  toolResultContains: oneOrMore.optional(),
  toolFailed: z.boolean().optional(),
  /** The tool whose result came last. */
  afterTool: oneOrMore.optional(),
  toolOffered: oneOrMore.optional(),
  toolNotOffered: oneOrMore.optional(),
  /** 1 is the first answer to a message of the person, 2 the one after the first round of tools. */
  step: z.number().int().min(1).optional(),
  /** 1 is the person's first message of the conversation. */
  userMessage: z.number().int().min(1).optional(),
});
export type Condition = z.infer<typeof Condition>;

const Turn = z.strictObject({
  when: Condition.optional(),
  /** Answers only so often at one point of one conversation; after that the turns below are asked. */
  times: z.number().int().min(1).optional(),
  reply: Reply,
});

/** What the model says, as data: the first turn whose condition holds answers. */
export const Script = z
  .strictObject({
    name: z.string().optional(),
    description: z.string().optional(),
    defaults: z.strictObject(pacing).optional(),
    turns: z.array(Turn).min(1),
  })
  .superRefine((script, context) => {
    for (const [index, turn] of script.turns.entries()) {
      const unknown = placeholdersIn(turn.reply).find((name) => !placeholderNames.includes(name));
      if (unknown === undefined) continue;
      const message = `{{${unknown}}} is not known; known are ${placeholderNames.map((name) => `{{${name}}}`).join(", ")}`;
      context.addIssue({ code: "custom", message, path: ["turns", index, "reply"] });
    }
  });
export type Script = z.infer<typeof Script>;

/** Reads a script from YAML or JSON, which is YAML too. `fileName` is for the error. */
export function parseScript(text: string, fileName: string): Script {
  const document = parseDocument(text);
  const syntaxError = document.errors[0];
  if (syntaxError !== undefined)
    throw new HallError("invalid_config", `The script ${fileName} is not valid YAML: ${syntaxError.message.trimEnd()}`);
  return checkScript(document.toJS(), fileName);
}

/** The same for a script that is data already. */
export function checkScript(value: unknown, name: string): Script {
  const parsed = Script.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${keyOf(issue.path)}: ${issue.message}`);
  throw new HallError("invalid_config", `The script ${name} cannot be played. ${issues.join(". ")}.`, { details: { issues } });
}

/** `turns[2].reply.text`, as a person would write it. */
function keyOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the whole of it";
  return path.map((part, index) => (typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`)).join("");
}
