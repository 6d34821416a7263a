import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDoor } from "../src/server/door.ts";

/** The person's key of a hall that has been started on this home. */
export const personKeyOf = (home: string): string => readFileSync(join(home, "person.key"), "utf8").trim();

type Cookie = { name: string; value: string; url: string };

const cookies = new Map<string, Cookie>();

/** Lets the browser of the tests open this hall as its person would, who came by the printed address. */
export function rememberPerson(url: string, key: string): void {
  const [name = "", value = ""] = createDoor({ token: null, personKey: key }).personCookie().split(";", 1)[0]?.split("=") ?? [];
  cookies.set(url, { name, value, url });
}

/** Of the halls that tests of this process have started without a token. */
export const personCookies = (): Cookie[] => [...cookies.values()];
