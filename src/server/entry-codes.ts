import { createHash, randomBytes } from "node:crypto";

export type EntryCodes = {
  /** A code that opens one browser, once. */
  mint(): { code: string; expiresAt: string };
  /** True for a code that is neither used nor expired. It is used up by that. */
  redeem(code: string): boolean;
};

const lifetimeMs = 60 * 60 * 1000;
const mostCodes = 100;

/** One-time codes for the address that `guild-hall serve` and `guild-hall open` print. They do not outlive the hall. */
export function createEntryCodes(now: () => number = Date.now): EntryCodes {
  /** By digest, oldest first. */
  const expiries = new Map<string, number>();
  const dropOldest = () => {
    const [oldest] = expiries.keys();
    if (oldest !== undefined && expiries.size > mostCodes) expiries.delete(oldest);
  };
  return {
    mint() {
      const code = randomBytes(16).toString("base64url");
      const expiry = now() + lifetimeMs;
      expiries.set(digestOf(code), expiry);
      dropOldest();
      return { code, expiresAt: new Date(expiry).toISOString() };
    },
    redeem(code) {
      const digest = digestOf(code);
      const expiry = expiries.get(digest);
      expiries.delete(digest);
      return expiry !== undefined && now() < expiry;
    },
  };
}

const digestOf = (code: string): string => createHash("sha256").update(code).digest("base64");
