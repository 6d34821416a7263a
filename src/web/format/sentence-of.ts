import { HallError } from "../../schema/hall-error.ts";
import { briefText } from "./brief-text.ts";

/** What a member said may be in it, and a member may say very much. */
const most = 600;

/** What to tell a person about a failed request. The hall's own sentences are good; anything else is a bug and says so plainly. */
export function sentenceOf(failure: unknown, purpose: Purpose): string {
  if (!(failure instanceof HallError)) return "Something went wrong on this page. Reload it; what was saved is kept.";
  if (failure.code === "hall_unreachable") return unanswered[purpose];
  return briefText(failure.message, most);
}

/** What was asked for: to read, to do something, to take what somebody wrote, or to save what is being written. */
export type Purpose = "read" | "act" | "send" | "save";

/** A browser does not say whether the hall was reached: one that took a request and then went away may have done all of it. */
const unanswered: Record<Purpose, string> = {
  read: "The hall does not answer.",
  act: "The hall does not answer. What you asked for may be done all the same; look before you ask again.",
  send: "The hall does not answer. What you wrote is still here; see whether it arrived before you send it again.",
  save: "The hall does not answer. What you wrote is still here.",
};
