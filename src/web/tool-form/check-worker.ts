import { checkInput } from "./check-input.ts";
import type { CheckAsked, CheckerSaid } from "./checker.ts";

/** Checks inputs beside the page, so that a schema that takes for ever takes nothing from the person. */
addEventListener("message", ({ data: { id, request } }: MessageEvent<CheckAsked>) => say({ id, issues: checkInput(request) }));
say("ready");

function say(said: CheckerSaid): void {
  postMessage(said);
}
