import { z } from "zod";
import { MemberName } from "./ids.ts";
import { description, displayName, MemberCommand, Transport } from "./manifest.ts";
import { ToolDefinition } from "./tool.ts";

/** `disconnected`: starting or stopped. `error`: invalid, crashed, or no handshake in time, until it is connected again. */
export const MemberStatus = z.enum(["disconnected", "connected", "error"]);
export type MemberStatus = z.infer<typeof MemberStatus>;

/** How far a member came on its way to being connected. One that speaks over stdio does not listen. */
export const ConnectionStep = z.object({
  name: z.enum(["spawned", "listening", "handshake", "tools"]),
  state: z.enum(["waiting", "doing", "done", "failed"]),
  /** What happened, in words: the command, the port, the server's name, or what went wrong. */
  detail: z.string().nullable(),
  durationMs: z.number().nullable(),
});
export type ConnectionStep = z.infer<typeof ConnectionStep>;

export const MemberTool = ToolDefinition.extend({
  /** Names exactly this definition. Accepting gives it back, so that nobody accepts what they have not seen. */
  hash: z.string(),
  /** False for a definition that no person has accepted: agents do not get it. */
  accepted: z.boolean(),
  /** What there is to accept; null where there is nothing. `before` is what was accepted last. */
  change: z.object({ kind: z.enum(["new", "changed"]), before: ToolDefinition.nullable() }).nullable(),
});
export type MemberTool = z.infer<typeof MemberTool>;

export const Member = z.object({
  /** As declared, or the folder's where the manifest cannot be read. Two entries may claim one name: the second is an error. */
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  version: z.string(),
  status: MemberStatus,
  /** Why it is not connected, in words, with what to do. */
  error: z.string().nullable(),
  capabilities: z.array(z.string()),
  /** Null where the manifest cannot be read. */
  transport: Transport.nullable(),
  toolCount: z.int().nonnegative(),
  tools: z.array(MemberTool),
  /** Below `guild-members/`; no two entries share it. */
  folder: z.string(),
  /** `edited`: a bundled one that a person changed, and that is therefore not upgraded. */
  origin: z.enum(["bundled", "edited", "added"]),
  /** What a person should know about it besides, in a sentence. */
  note: z.string().optional(),
  /** Program and arguments as they are started, without the values of its variables. */
  command: z.array(z.string()),
  startedAt: z.iso.datetime().nullable(),
  /** Set while a start is due after a crash; null also where the hall gave up and waits for a person. */
  nextStartAt: z.iso.datetime().nullable(),
  steps: z.array(ConnectionStep),
});
export type Member = z.infer<typeof Member>;

export const Roster = z.object({ members: z.array(Member) });
export type Roster = z.infer<typeof Roster>;

/** Adding a member lets a program run on this machine, so the request says that a person saw exactly this command. */
export const AddMember = z.strictObject({
  name: MemberName,
  displayName: displayName.optional(),
  description: description.optional(),
  transport: Transport.default("stdio"),
  ...MemberCommand.shape,
  confirmed: z.literal(true, "must be true: it says that a person saw the exact command and wants it to run on this machine"),
});
export type AddMember = z.input<typeof AddMember>;

export const AcceptTools = z.strictObject({
  tools: z.array(z.strictObject({ name: z.string(), hash: z.string() }), "must be a list of tools with their hashes").min(1),
});
export type AcceptTools = z.infer<typeof AcceptTools>;

/** What a member wrote to stderr last, over its restarts. */
export const MemberLogs = z.object({ text: z.string(), truncated: z.boolean() });
export type MemberLogs = z.infer<typeof MemberLogs>;

/** A member that was removed is kept: its folder may hold work. */
export const RemovedMember = z.object({ movedTo: z.string() });
export type RemovedMember = z.infer<typeof RemovedMember>;
