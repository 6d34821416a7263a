import { boundText, maxResultCharacters } from "../agent/bound-text.ts";
import type { Block } from "../../schema/session.ts";

/** Several times what a model can say in one response. An endpoint that is broken or hostile may send any amount. */
export const maxAnswerCharacters = 1_000_000;
/** Of one message with all its text, tool inputs and results. Pictures have a limit of their own. */
export const maxMessageCharacters = 4_000_000;
/** One result may hold a picture, which `boundResult` lets pass up to 8,000,000 characters. */
const maxDataCharacters = 9_000_000;
const maxPictureCharacters = 16_000_000;
/** So many characters more may be sentences about what was left out, and inputs that are no longer than these. */
const noteCharacters = 1_000_000;
const shortCharacters = 200;
const maxIdCharacters = 200;

type Budget = {
  /** What happens to the message, for the sentences. */
  use: "stored" | "shown";
  /** Lets a message through that was bounded before, with the sentences in it. */
  extra: number;
};

/** Call it for each block of one message, or each piece of its text, in order. Returns what fits, with sentences about the rest. */
export function createMessageBudget({ use, extra }: Budget): (block: Block) => Block[] {
  const most = maxMessageCharacters + extra;
  let used = 0;
  let said = 0;
  let pictures = 0;
  let isTextCut = false;
  let isFull = false;

  const leftOut = (length: number, fit: number): string =>
    `[Left out: it has ${figure(length)} characters, and at most ${figure(fit)} are ${use}.]`;
  const leftOutOfMessage = (length: number): string =>
    `[Left out: it has ${figure(length)} characters, and at most ${figure(maxMessageCharacters)} of one message are ${use}.]`;

  function boundWords(text: string): string {
    if (isTextCut) return "";
    const ofAnswer = maxAnswerCharacters + extra - said;
    const room = Math.max(0, Math.min(ofAnswer, most - used));
    said += text.length;
    if (text.length <= room) return text;
    isTextCut = true;
    const limit =
      room === ofAnswer ? `answer has more than ${figure(maxAnswerCharacters)}` : `message has more than ${figure(maxMessageCharacters)}`;
    return `${text.slice(0, room).toWellFormed()}\n\n[Cut here: the ${limit} characters. The rest was left out.]`;
  }

  function boundData(value: unknown, fit: number): unknown {
    const length = lengthOf(value);
    if (length > fit + extra) return leftOut(length, fit);
    const ofPictures = picturesIn(value);
    const rest = length - ofPictures;
    const isTooMuch = rest > shortCharacters && used + rest > most;
    if (isTooMuch || pictures + ofPictures > maxPictureCharacters + extra) return leftOutOfMessage(length);
    pictures += ofPictures;
    return value;
  }

  function boundContent(content: unknown): unknown {
    if (typeof content !== "string") return boundData(content, maxDataCharacters);
    const isLong = content.length > maxResultCharacters + extra;
    return boundData(isLong ? boundText(content, maxResultCharacters) : content, maxDataCharacters);
  }

  function bounded(block: Block): Block {
    switch (block.type) {
      case "text":
        return { type: "text", text: boundWords(block.text) };
      case "tool_use":
        return { ...block, id: shortId(block.id), name: shortName(block.name), input: boundData(block.input, maxAnswerCharacters) };
      case "tool_result":
        return { ...block, id: shortId(block.id), content: boundContent(block.content) };
    }
  }

  return (block) => {
    if (isFull) return [];
    if (used > most + noteCharacters) {
      isFull = true;
      return [
        {
          type: "text",
          text: `\n\n[Left out: everything after this, because the message has more than ${figure(maxMessageCharacters)} characters.]`,
        },
      ];
    }
    const kept = bounded(block);
    used += sizeOf(kept);
    return kept.type === "text" && kept.text === "" ? [] : [kept];
  };
}

/** Keeps both ends of a long id, so that two of them rarely become one. A result is cut like its call and still names it. */
export const shortId = (id: string): string =>
  id.length <= maxIdCharacters ? id : `${id.slice(0, maxIdCharacters / 2)}…${id.slice(1 - maxIdCharacters / 2)}`.toWellFormed();

const shortName = (name: string): string =>
  name.length <= maxIdCharacters ? name : `${name.slice(0, maxIdCharacters - 1).toWellFormed()}…`;

/** Characters as JSON, in which messages are stored and sent. Text comes in pieces, so it counts without its block. */
function sizeOf(block: Block): number {
  if (block.type === "text") return lengthOf(block.text) - 2;
  return lengthOf(block) - (block.type === "tool_result" ? picturesIn(block.content) : 0);
}

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const pictureTypes: readonly unknown[] = ["image", "audio", "resource"];

function picturesIn(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  const parts = content.filter(
    (part: unknown) => typeof part === "object" && part !== null && "type" in part && pictureTypes.includes(part.type),
  );
  return parts.reduce<number>((sum, part) => sum + lengthOf(part), 0);
}

const figure = (characters: number): string => characters.toLocaleString("en");
