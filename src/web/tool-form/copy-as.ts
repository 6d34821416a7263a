import type { JsonObject } from "./json.ts";

export type CallText = { origin: string; member: string; tool: string; input: JsonObject };

/** The call as a command for `curl`, which any shell of the POSIX kind takes as it stands. */
export const asCurl = ({ origin, member, tool, input }: CallText): string =>
  [
    `curl -sS ${quoted(`${origin}/api/tools/invoke`)}`,
    `-H 'content-type: application/json'`,
    // `--data` would read a file where the text begins with @; this one never does.
    `--data-raw ${quoted(JSON.stringify({ member, tool, input }))}`,
  ].join(" \\\n  ");

/** The call as a command of the hall's own. */
export const asHallCommand = ({ member, tool, input }: Omit<CallText, "origin">): string =>
  `guild-hall member call ${[member, tool, JSON.stringify(input)].map(word).join(" ")}`;

/** What a hall with a token wants besides, from where tokens are kept; the token itself is in no page. */
export const tokenHeader = `-H "authorization: Bearer $GUILD_HALL_TOKEN"`;

const word = (text: string): string => (/^[\w./:][\w./:-]*$/.test(text) ? text : quoted(text));

/** Between single quotes a shell reads nothing but the closing one. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
