import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import { readConversation } from "../../src/scripted-model/conversation.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import type { Hall, HallProcess } from "../running-hall.ts";
import { startSharedHallProcess } from "../running-hall.ts";
import { patience, statusOf } from "../server/members-by-hand.ts";

/** What somebody would like to have. None of it is anywhere else on the machine. */
export const secrets = {
  token: "a-long-enough-token",
  key: "key-of-this-attack",
  planted: "a-secret-of-the-shell",
  /** In the address of the endpoint. */
  password: "base-pass/4444",
};

export const members = ["example", "researcher"] as const;

export type ClosedHall = {
  hall: HallProcess;
  model: ScriptedModel;
  /** What the model says to a message that contains these words, step by step. */
  plays: Map<string, (step: number) => Reply>;
};

/** A hall as somebody has it who shares a machine: with a token, a key, and the members that come with it. */
export async function startClosedHall(): Promise<ClosedHall> {
  const plays: ClosedHall["plays"] = new Map([["hang", () => ({ fault: { how: "hang" } })]]);
  const model = await startScriptedModel({
    script(request) {
      const { userTexts, step } = readConversation(request);
      const words = [...plays.keys()].find((each) => userTexts.at(-1)?.includes(each)) ?? "";
      return plays.get(words)?.(step);
    },
  });
  const { token, key, planted, password } = secrets;
  const address = model.url.replace("//", `//gateway:${encodeURIComponent(password)}@`);
  const env = { ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: key, GUILD_HALL_TOKEN: token, PLANTED_SECRET: planted };
  const hall = await startSharedHallProcess({ env, waiting: false });
  for (const name of members) await vi.waitUntil(async () => (await statusOf(hall, name)) === "connected", patience);
  return { hall, model, plays };
}

type MemberRecord = { port: number; mark: string; pid: number };

/** What the hall keeps of a member, where only its owner can read it. */
export async function recordOf({ home }: Hall, name: string): Promise<MemberRecord> {
  const text = await readFile(join(home, `state/members/${name}.json`), "utf8");
  const { port, mark, process } = JSON.parse(text) as { port: number; mark: string; process: { pid: number } }; // the hall's own file
  return { port, mark, pid: process.pid };
}
