import { expect, it } from "vitest";
import { sizeOf } from "./size.ts";

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [9440, "9.4 kB"],
  [100_000, "100 kB"],
  [2_140_000, "2.1 MB"],
  [4_200_000_000, "4.2 GB"],
])("%d bytes are told as %s", (bytes, expected) => {
  expect(sizeOf(bytes)).toBe(expected);
});
