import { createHmac, timingSafeEqual } from "node:crypto";

/** The headers a door reads, from Node's request or from a `Request`. */
export type Credentials = { authorization: string | undefined; cookie: string | undefined };

export type Door = {
  /** Whether a request may pass at all: every one where no token is set. */
  isOpenTo(credentials: Credentials): boolean;
  /** Whether a request comes from the person who runs this hall: it carries the person's key or the hall's token. */
  isPerson(credentials: Credentials): boolean;
  /** The cookie for a browser in which the token or the key was typed, or null when it is neither. */
  cookieFor(typed: string): string | null;
  /** The cookie for a browser that came with a one-time code. */
  personCookie(): string;
  /** The cookie that makes a browser forget the one it has. */
  noCookie(): string;
};

/** Decides who may come in and who may decide for the person. Programs send a bearer header; browsers have a cookie. */
export function createDoor({ token, personKey }: { token: string | null; personKey: string }): Door {
  const secrets = token === null ? [personKey] : [personKey, token];
  // Derived from the key, so halls on one host name do not overwrite each other's cookie.
  const name = `guild_hall_${derived(personKey, "guild-hall cookie name").slice(0, 8)}`;
  const tickets = new Map(secrets.map((secret) => [secret, derived(secret, "guild-hall cookie")]));
  const cookie = (value: string, seconds: number): string => `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  const cookieOf = (secret: string): string => cookie(tickets.get(secret) ?? "", aYear);

  const isPerson = ({ authorization, cookie: header }: Credentials): boolean => {
    const bearer = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1];
    if (bearer !== undefined && isAmong(bearer, secrets)) return true;
    // A server on another port of this host can add cookies of the same name in front of ours. Other lengths are not compared.
    return cookiesNamed(name, header).some((value) => value.length === ticketLength && isAmong(value, [...tickets.values()]));
  };
  return {
    isPerson,
    isOpenTo: (credentials) => token === null || isPerson(credentials),
    cookieFor(typed) {
      const secret = secrets.find((each) => isSame(typed, each));
      return secret === undefined ? null : cookieOf(secret);
    },
    personCookie: () => cookieOf(personKey),
    noCookie: () => cookie("", 0),
  };
}

const aYear = 365 * 24 * 60 * 60;

export const credentialsOf = (headers: Headers): Credentials => ({
  authorization: headers.get("authorization") ?? undefined,
  cookie: headers.get("cookie") ?? undefined,
});

/** Of a SHA-256 in base64url. */
const ticketLength = 43;

/** Outlives a restart and does not hold the secret. */
const derived = (secret: string, purpose: string): string => createHmac("sha256", secret).update(purpose).digest("base64url");

const isAmong = (given: string, wanted: readonly string[]): boolean => wanted.some((each) => isSame(given, each));

/** Compares digests, which have one length, so that the time taken says nothing about the secret. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function cookiesNamed(name: string, header: string | undefined): string[] {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}
