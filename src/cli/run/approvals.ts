import type { Approval } from "../../schema/approval.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";

type Flags = { home?: string };

export async function listApprovals({ home }: Flags, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(home, shell);
  const found = await client.approvals.list({ state: "pending" });
  printer.result(found, found.approvals.map(sayOf).join("\n") || "Nothing waits for you.");
}

export async function showApproval(id: string, { home }: Flags, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(home, shell);
  const approval = await client.approvals.get(id);
  printer.result(approval, wholeOf(approval));
}

/** Approves what the hash names. Without one, everything is shown and nothing is approved. */
export async function approveCall(id: string, { home, hash }: Flags & { hash?: string }, context: CommandContext): Promise<void> {
  const { printer, shell } = context;
  const { client } = await findHall(home, shell);
  const approval = await client.approvals.get(id);
  if (hash === undefined) {
    printer.progress(wholeOf(approval));
    throw new HallError("bad_request", `To approve exactly this, type: guild-hall approvals approve ${id} --hash ${approval.inputHash}`);
  }
  const approved = await client.approvals.approve(id, { inputHash: hash });
  printer.result(approved, `Approved: ${sayOf(approved)}`);
}

export async function rejectCall(id: string, { home, note }: Flags & { note: string }, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(home, shell);
  const rejected = await client.approvals.reject(id, { note });
  printer.result(rejected, `Rejected: ${sayOf(rejected)}`);
}

export const sayOf = ({ id, chain, tool, state }: Approval): string =>
  `${id} (${state}): ${chain.map(({ worker }) => worker).join(" → ")} asks to call ${tool}.`;

const wholeOf = (approval: Approval): string =>
  [sayOf(approval), `Rule: ${approval.rule}`, `Input: ${JSON.stringify(approval.input, null, 2)}`, `Hash: ${approval.inputHash}`].join(
    "\n",
  );
