import { describe, expect, it } from "vitest";
import { createDoor } from "./door.ts";

const personKey = "k".repeat(43);
const token = "correct horse";
const bearer = (text: string) => ({ authorization: `Bearer ${text}`, cookie: undefined });
const withCookie = (cookie: string) => ({ authorization: undefined, cookie });
const nothing = { authorization: undefined, cookie: undefined };
const pairOf = (cookie: string | null): string => cookie?.split(";", 1)[0] ?? "";

describe("a door without a token", () => {
  const door = createDoor({ token: null, personKey });

  it("is open to every request, and takes none without the key for the person's (SEC-21)", () => {
    for (const credentials of [nothing, bearer("wrong"), withCookie("guild_hall=wrong")]) {
      expect(door.isOpenTo(credentials)).toBe(true);
      expect(door.isPerson(credentials)).toBe(false);
    }
  });

  it("knows the person by the key and by the cookie of a one-time code (SEC-21)", () => {
    expect(door.isPerson(bearer(personKey))).toBe(true);
    expect(door.isPerson(withCookie(pairOf(door.personCookie())))).toBe(true);
  });

  it("gives a browser a cookie that scripts and other sites cannot use and that does not hold the key (SEC-21)", () => {
    expect(door.personCookie()).toMatch(/; HttpOnly; SameSite=Strict/);
    expect(door.personCookie()).not.toContain(personKey);
  });

  it("takes the cookie back with an empty one of the same name (SEC-21)", () => {
    const [given, taken] = [door.personCookie(), door.noCookie()];

    expect(taken.split("=")[0]).toBe(given.split("=")[0]);
    expect(taken).toMatch(/=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
    expect(door.isPerson(withCookie(pairOf(taken)))).toBe(false);
  });

  it("finds its cookie behind one of the same name that another server has set (SEC-5)", () => {
    const pair = pairOf(door.personCookie());
    const [name] = pair.split("=");

    expect(door.isPerson(withCookie(`${name}=tossed; ${pair}`))).toBe(true);
    expect(door.isPerson(withCookie(`${name}=tossed; ${name}=again`))).toBe(false);
  });

  it("does not know the cookie of another hall, whose name differs too", () => {
    const other = pairOf(createDoor({ token: null, personKey: "o".repeat(43) }).personCookie());

    expect(door.isPerson(withCookie(other))).toBe(false);
    expect(other.split("=")[0]).not.toBe(pairOf(door.personCookie()).split("=")[0]);
  });
});

describe("a door with a token", () => {
  const door = createDoor({ token, personKey });

  it("opens to the bearer of the token or the key and to no other (SEC-5)", () => {
    for (const secret of [token, personKey]) expect(door.isOpenTo(bearer(secret))).toBe(true);
    for (const authorization of ["Bearer wrong", `Bearer ${token} `, `Basic ${token}`, token, ""]) {
      expect(door.isOpenTo({ authorization, cookie: undefined })).toBe(false);
    }
    expect(door.isOpenTo(nothing)).toBe(false);
  });

  it("counts the token as the key (SEC-21)", () => {
    expect(door.isPerson(bearer(token))).toBe(true);
    expect(door.isPerson(withCookie(pairOf(door.cookieFor(token))))).toBe(true);
  });

  it("opens to its cookie, also after a restart, and not to that of another token", () => {
    const pair = pairOf(door.cookieFor(token));

    expect(createDoor({ token, personKey }).isOpenTo(withCookie(`other=1; ${pair}`))).toBe(true);
    expect(createDoor({ token: "another", personKey }).isOpenTo(withCookie(pair))).toBe(false);
  });

  it("gives no cookie for what is neither the token nor the key (SEC-5)", () => {
    expect(door.cookieFor("wrong")).toBeNull();
    expect(door.cookieFor(token)).not.toContain("correct");
  });
});
