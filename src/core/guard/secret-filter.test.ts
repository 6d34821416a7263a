import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecretFilter } from "./secret-filter.ts";

const inPieces = (secrets: readonly string[], pieces: readonly string[]): string => {
  const filter = createSecretFilter(secrets);
  return [...pieces.map((piece) => filter.take(piece)), filter.rest()].join("");
};

describe("a filter of secrets", () => {
  it("takes out each secret, however the text is cut into pieces (SEC-9)", () => {
    const secret = "sk-secret-1234";
    const text = `a ${secret} b ${secret}${secret} sk-secret-12`;

    for (let size = 1; size <= text.length; size += 1) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
      expect(inPieces([secret], pieces)).toBe("a [removed] b [removed][removed] sk-secret-12");
    }
  });

  it("holds back only an end that may become a secret", () => {
    const filter = createSecretFilter(["sk-secret-1234"]);

    expect(filter.take("it is")).toBe("it i");
    expect(filter.take(" sunny")).toBe("s sunny");
    expect(filter.take("sk-secret-123")).toBe("");
    expect(filter.take("5")).toBe("sk-secret-1235");
    expect(filter.rest()).toBe("");
  });

  it("takes out the longer of two that start alike, and one that begins inside of another's start (SEC-9)", () => {
    expect(inPieces(["abcdefgh", "abcdefghij"], ["abcdefgh", "ij abcdefgh", "."])).toBe("[removed] [removed].");
    expect(inPieces(["abcabcabcx"], ["abcabcabc", "abcx"])).toBe("abc[removed]");
    expect(inPieces(["abcdefghab"], ["xabcdefghab", "cdefghab"])).toBe("x[removed]cdefghab");
  });

  it("leaves alone what only looks like a secret, and secrets that are absurdly short", () => {
    const text = "Bearer abcdefghijk sk-ant-api03-abcdefgh hunter2";

    expect(createSecretFilter(["hunter2", ""]).whole(text)).toBe(text);
  });

  it("gives the same for pieces as for the whole, and lets no secret through (SEC-9)", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 });
    const secret = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 8, maxLength: 10 });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 8 }), fc.array(secret, { maxLength: 3 }), (pieces, secrets) => {
        const clean = inPieces(secrets, pieces);

        expect(clean).toBe(createSecretFilter(secrets).whole(pieces.join("")));
        for (const each of secrets) expect(clean).not.toContain(each);
      }),
    );
  });
});
