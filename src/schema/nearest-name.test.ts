import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestName, suggestion } from "./nearest-name.ts";

const known = ["host", "port", "model", "allowedHosts", "atOnce"];

describe("the nearest name", () => {
  it.each([
    ["prot", "port"],
    ["hosts", "host"],
    ["modle", "model"],
    ["allowed_hosts", "allowedHosts"],
    ["ATONCE", "atOnce"],
    ["por", "port"],
  ])("of %s is %s", (written, meant) => {
    expect(nearestName(written, known)).toBe(meant);
  });

  it.each(["colour", "x", "", "tropical"])("of %j is none", (written) => {
    expect(nearestName(written, known)).toBeNull();
  });

  it("of a known name is that name", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }), fc.nat(), (names, at) => {
        const name = names[at % names.length] ?? "";

        expect(nearestName(name, names)).toBe(name);
      }),
    );
  });

  it("is found one typo away", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,12}$/), fc.nat(), fc.constantFrom("x", "", "zq"), (name, at, put) => {
        const place = at % name.length;

        expect(nearestName(name.slice(0, place) + put.slice(0, 1) + name.slice(place + 1), [name])).toBe(name);
      }),
    );
  });

  it("ends a sentence, and where there is none, all names do", () => {
    expect(suggestion("prot", known)).toBe('; did you mean "port"?');
    expect(suggestion("colour", ["host", "port"])).toBe("; known are: host, port");
    expect(suggestion("colour", [])).toBe("");
  });

  it("does not end a sentence with a list without end", () => {
    const many = Array.from({ length: 1000 }, (_, number) => `tool-${number}`);

    expect(suggestion("colour", many)).toMatch(/tool-19 and 980 more$/);
  });
});
