import type { Script, Turn } from "../script.ts";
import { dispatchTurns } from "./dispatch.ts";
import { errorTurns } from "./errors.ts";
import { fallBackTurns, greetingTurns } from "./greeting.ts";
import { longAnswerTurns } from "./long-answer.ts";
import { markdownTurns } from "./markdown.ts";
import { recoveryTurns } from "./recovery.ts";
import { researchTurns } from "./research.ts";
import { tourTurns } from "./tour.ts";

const label = "Scripted demo, no AI:";

/** Says what it is in every answer, and bills nothing: nobody may take it for Claude, nor its usage for a cost. */
export const demoScript: Script = {
  name: "the built-in demo",
  defaults: { chunkSize: 16, chunkDelayMs: 15, usage: { inputTokens: 0, outputTokens: 0 } },
  turns: [researchTurns, tourTurns, recoveryTurns, dispatchTurns, errorTurns, markdownTurns, longAnswerTurns, greetingTurns, fallBackTurns]
    .flat()
    .map(labelled),
};

/** The label is put on here, so that no demo can be written without it. */
function labelled(turn: Turn): Turn {
  const { text, error } = turn.reply;
  if (error !== undefined) return { ...turn, reply: { ...turn.reply, error: { ...error, message: `${label} ${error.message}` } } };
  return { ...turn, reply: { ...turn.reply, text: `*${label}* ${text ?? "a tool call."}` } };
}
