import { HallError } from "../../schema/hall-error.ts";
import { briefText } from "./brief-text.ts";

/** What a member said may be in it, and a member may say very much. */
const most = 600;

/** What to tell a person about a failed request. The hall's own sentences are good; anything else is a bug and says so plainly. */
export function sentenceOf(failure: unknown): string {
  if (!(failure instanceof HallError)) return "Something went wrong on this page. Reload it; what was saved is kept.";
  if (failure.code === "hall_unreachable") return "The hall does not answer. Nothing was sent; what you wrote is still here.";
  return briefText(failure.message, most);
}
