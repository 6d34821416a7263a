import { z } from "zod";
import { MemberName } from "./ids.ts";

const text = (what: string, most: number) =>
  z
    .string(`must be ${what}`)
    .trim()
    .min(1, `must be ${what}`)
    .max(most, `must have at most ${most} characters`)
    .regex(/^(?:[\n\t]|[^\p{Cc}\p{Bidi_Control}])*$/u, "must not hold characters that cannot be seen");

/** A process cannot be given a NUL. With the others, a command would read otherwise than it runs. */
const argument = z
  .string("must be text")
  .max(32_768, "must have at most 32768 characters")
  .regex(/^[^\0\p{Bidi_Control}]*$/u, "must not hold a NUL or characters that turn the reading direction around");

export const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of a variable: letters, digits and underscores, not beginning with a digit");

export const Transport = z.enum(["http", "stdio"], 'must be "http" or "stdio"');
export type Transport = z.infer<typeof Transport>;

/** How to start a member: a program and its arguments, never a line for a shell. `${PORT}` in arguments and values becomes a free port. */
export const MemberCommand = z.strictObject(
  {
    command: argument.min(1, "must be the program to start"),
    args: z.array(argument, "must be a list of texts").max(1000, "must hold at most 1000 arguments").default([]),
    env: z
      .record(VariableName, argument, {
        // A name that is no name says so itself.
        error: (issue) => (issue.code === "invalid_key" ? issue.issues[0]?.message : "must be variables with their values"),
      })
      .default({}),
  },
  "must be an object with command, args and env",
);
export type MemberCommand = z.infer<typeof MemberCommand>;

export const displayName = text("a name for people to read", 100).regex(/^[^\n]*$/, "must be on one line");
export const description = text("a sentence about the member", 1000);

/** `guild-member.json`: who a member is, and how to start it. */
export const Manifest = z.strictObject(
  {
    name: MemberName,
    displayName,
    description,
    version: text("a version, such as 0.1.0", 50),
    transport: Transport,
    mcp: MemberCommand,
    capabilities: z
      .array(text("a capability, such as worker", 100), "must be a list of texts")
      .max(100, "must hold at most 100")
      .default([]),
  },
  "must be an object with name, displayName, description, version, transport and mcp",
);
export type Manifest = z.infer<typeof Manifest>;

export const isWorker = ({ capabilities }: Pick<Manifest, "capabilities">): boolean => capabilities.includes("worker");
