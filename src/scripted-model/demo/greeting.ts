import type { Turn } from "../script.ts";

const menu = `
| say | and you see |
| --- | --- |
| **tour** | an agent using its tools on this session's folder |
| **failing tool** | a tool call that fails, and how the agent goes on |
| **job** | a job for the researcher, where it is a member of the session |
| **markdown** | headings, lists, a table and code |
| **long answer** | half a minute of text, so that you can try Stop |
| **error** | what the hall shows when a model is overloaded or a limit is reached |
`;

const howToConnect =
  "To talk to Claude instead, put `ANTHROPIC_API_KEY=…` (or `CLAUDE_CODE_OAUTH_TOKEN=…`) into `.env.local` in the home folder of the hall (`~/.guild-hall` unless you chose another), and choose “Check for a key again” in the settings; `guild-hall doctor` says what it finds.";

export const greetingTurns: readonly Turn[] = [
  {
    when: {
      step: 1,
      userMatches: [
        "hi",
        "hi *",
        "hi!*",
        "hello*",
        "hey*",
        "good morning*",
        "hallo*",
        "help*",
        "menu*",
        "what can you do*",
        "who are you*",
        "what is this*",
      ],
    },
    reply: {
      text: `welcome to Guild Hall.

No model is connected, so a script answers you. Everything around it is real: the agent program, its tools, the files it writes, this stream. Try one of these:
${menu}
${howToConnect}`,
    },
  },
];

/** For any other text. It does not pretend to have understood, so it repeats nothing of it. */
export const fallBackTurns: readonly Turn[] = [
  {
    reply: {
      text: `I cannot answer that, because I do not understand text. I only know these words:
${menu}
${howToConnect}`,
    },
  },
];
