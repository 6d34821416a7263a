import type { Turn } from "../script.ts";
import { saying } from "./saying.ts";

const hour = 3_600;

export const errorTurns: readonly Turn[] = [
  {
    when: saying("error: overloaded briefly"),
    times: 2,
    reply: { error: { status: 529, message: "the model is overloaded for a moment." } },
  },
  {
    when: saying("error: overloaded briefly"),
    reply: { text: "the first two attempts were answered with an overload. They were tried again, and this is the third." },
  },
  {
    when: saying("error: overloaded"),
    reply: { error: { status: 529, message: "the model is overloaded and stays so." } },
  },
  {
    when: saying("error: usage limit"),
    reply: { error: { status: 429, message: "the usage limit is reached; it resets in an hour.", retryAfter: hour } },
  },
  {
    when: saying("error: wrong key"),
    reply: { error: { status: 401, message: "the key is not valid." } },
  },
  {
    when: saying("error: broken answer"),
    reply: {
      text: "this answer breaks off in the middle, because the connection is cut, and the next attempt breaks off too.",
      fault: { how: "cut", afterChunks: 3 },
    },
  },
  {
    when: saying("error", "errors"),
    reply: {
      text: `which one? Say:

- **error: overloaded briefly**: two refusals, then an answer; you see the waiting in between
- **error: overloaded**: every attempt is refused, and the message fails after the last one
- **error: usage limit**: ends at once and names the time of the reset
- **error: wrong key**: ends at once and says what to do
- **error: broken answer**: the connection is cut in the middle, each time`,
    },
  },
];
