import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export type TokenDoor = {
  isOpenTo(request: IncomingMessage): boolean;
  /** The cookie to set for somebody who typed this token, or null when it is the wrong one. */
  cookieFor(token: string): string | null;
};

const cookieName = "guild_hall";

/** Who may come in when a token is set: a program with a bearer header, a browser with the cookie it got for the token. */
export function createTokenDoor(token: string | null): TokenDoor {
  if (token === null) return { isOpenTo: () => true, cookieFor: () => null };
  // The cookie is derived from the token, so it outlives a restart and does not hold the token itself.
  const ticket = createHmac("sha256", token).update("guild-hall cookie").digest("base64url");
  return {
    isOpenTo(request) {
      const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
      if (bearer !== undefined) return isSame(bearer, token);
      const cookie = cookieValue(request.headers.cookie);
      return cookie !== undefined && isSame(cookie, ticket);
    },
    cookieFor: (typed) => (isSame(typed, token) ? `${cookieName}=${ticket}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000` : null),
  };
}

/** Compares digests, which have one length, so that the time taken says nothing about the secret. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function cookieValue(header: string | undefined): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
}
