import { checkInput } from "./check-input.ts";
import type { CheckAnswered, CheckAsked } from "./checker.ts";

/** Checks inputs beside the page, so that a schema that takes for ever takes nothing from the person. */
addEventListener("message", ({ data: { id, request } }: MessageEvent<CheckAsked>) => {
  const answered: CheckAnswered = { id, issues: checkInput(request) };
  postMessage(answered);
});
