import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHallClient } from "../src/client/hall-client.ts";
import type { HallClient } from "../src/client/hall-client.ts";
import { personKeyOf, rememberPerson } from "./person.ts";
import { nodeEnvironment } from "./counted-process.ts";
import { removeBundledMembers } from "./remove-bundled-members.ts";

/** A hall that is open, whatever it runs in. */
export type Hall = { url: string; home: string; client: HallClient };

export type HallRequest = {
  env?: Record<string, string>;
  flags?: string[];
  /** Written as config.yaml before the start. */
  config?: string;
  /** Without the members that come with it, or with one of them: they take as long to start as the hall does. */
  bundled?: false | "example" | "researcher";
  /** Without agents that wait for the next message of a session that is looked at, where nobody speaks or nobody is in a hurry. */
  waiting?: false;
};

/** Puts into the home what the hall is to find there. An empty one is left to the hall. */
export async function prepareHome(home: string, { config, bundled, waiting }: HallRequest): Promise<void> {
  if (bundled !== undefined) await removeBundledMembers(home, bundled === false ? undefined : bundled);
  const settings = `${waiting === false ? "runs:\n  waiting: 0\n" : ""}${config ?? ""}`;
  if (settings === "") return;
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "config.yaml"), settings);
}

/** What is typed to open it: at a free port, unless the flags name one. */
export const serveWords = (home: string, { flags = [] }: HallRequest): string[] => [
  "serve",
  "--port",
  "0",
  "--home",
  home,
  "--json",
  ...flags,
];

/** What a new user's shell would have, without a key, and what the test adds. */
export const shellEnvironment = (home: string, { env = {} }: HallRequest): Record<string, string | undefined> => ({
  PATH: process.env["PATH"],
  ...nodeEnvironment(),
  HOME: home,
  ...env,
});

/** From the one document that `serve --json` prints: where it is open, or what went wrong. */
export function openedHall(document: string, home: string, { env = {} }: HallRequest): Hall {
  const { url } = JSON.parse(document) as { url?: string };
  if (url === undefined) throw new Error(`The hall did not open: ${document}`);
  const key = personKeyOf(home);
  const token = env["GUILD_HALL_TOKEN"];
  if (token === undefined) rememberPerson(url, key);
  return { url, home, client: createHallClient({ baseUrl: url, token: token ?? key }) };
}
