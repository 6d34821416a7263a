import { setTimeout as after } from "node:timers/promises";
import type { HallClient } from "../../client/hall-client.ts";
import { exitCodes } from "../../schema/exit-code.ts";
import { HallError } from "../../schema/hall-error.ts";
import { isWorker } from "../../schema/manifest.ts";
import type { Member } from "../../schema/roster.ts";
import { safeText } from "../safe-text.ts";
import type { Shell } from "../shell.ts";

/** A member has 20 s for its handshake unless the configuration says otherwise, and may have to wait its turn. */
const patienceMs = 40_000;

/** Waits until a member that was started is connected or has failed, and says which. A failed one is an exit code. */
export async function untilSettled(
  client: HallClient,
  name: string,
  shell: Shell,
): Promise<{ isConnected: boolean; sentence: string; member: Member | null }> {
  const until = Date.now() + patienceMs;
  let member = await find(client, name);
  while ((member === null || !isSettled(member)) && Date.now() < until) {
    await after(200);
    member = await find(client, name);
  }
  const isConnected = member?.status === "connected";
  if (!isConnected) shell.exitCode = exitCodes.conflict;
  return { isConnected, member, sentence: member === null ? `The hall has not noticed ${name} yet.` : sentenceOn(member) };
}

/** Whoever holds the name, where two claim it. A folder that has just been made is noticed a moment later. */
const find = (client: HallClient, name: string): Promise<Member | null> =>
  client.roster.get(name).catch((error: unknown) => {
    if (error instanceof HallError && error.code === "not_found") return null;
    throw error;
  });

/** `error` lasts until a member is connected again, so that one which is being restarted has it too; a failed start has a next one. */
const isSettled = ({ status, nextStartAt, transport }: Member): boolean =>
  status === "connected" || nextStartAt !== null || transport === null;

function sentenceOn(member: Member): string {
  const { name, status, error } = member;
  if (status === "connected") return `${name} is connected and ${abilitiesOf(member)}.`;
  return error === null ? `${name} is still starting.` : `${name} could not be connected: ${safeText(error)}`;
}

function abilitiesOf({ toolCount, capabilities }: Member): string {
  const tools = `has ${toolCount} ${toolCount === 1 ? "tool" : "tools"}`;
  if (!isWorker({ capabilities })) return tools;
  return toolCount === 0 ? "takes jobs" : `${tools} and takes jobs`;
}
