import { expect, it } from "vitest";
import { addressPart } from "./address-part.ts";

it("a name stands in an address whatever is in it, half a character too", () => {
  expect(addressPart("a/b ü\ud83d")).toBe("a%2Fb%20%C3%BC%EF%BF%BD");
});
