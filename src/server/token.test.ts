import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createTokenDoor } from "./token.ts";

const asking = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage; // the door reads headers only

describe("the token door", () => {
  it("is open to everybody where no token is set", () => {
    expect(createTokenDoor(null).isOpenTo(asking({}))).toBe(true);
  });

  it("opens to the bearer of the token and to nobody else (SEC-5)", () => {
    const door = createTokenDoor("correct horse");

    expect(door.isOpenTo(asking({ authorization: "Bearer correct horse" }))).toBe(true);
    for (const authorization of ["Bearer wrong", "Bearer correct horse ", "Basic correct horse", "correct horse", ""]) {
      expect(door.isOpenTo(asking({ authorization }))).toBe(false);
    }
    expect(door.isOpenTo(asking({}))).toBe(false);
  });

  it("gives a browser a cookie that scripts and other sites cannot use and that does not hold the token (SEC-5)", () => {
    const cookie = createTokenDoor("correct horse").cookieFor("correct horse");

    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/);
    expect(cookie).not.toContain("correct");
  });

  it("opens to its cookie, also after a restart, and not to another hall's", () => {
    const cookie = createTokenDoor("one").cookieFor("one")?.split(";", 1)[0] ?? "";

    expect(createTokenDoor("one").isOpenTo(asking({ cookie: `other=1; ${cookie}` }))).toBe(true);
    expect(createTokenDoor("two").isOpenTo(asking({ cookie }))).toBe(false);
  });

  it("gives no cookie for the wrong token (SEC-5)", () => {
    expect(createTokenDoor("one").cookieFor("two")).toBeNull();
  });
});
