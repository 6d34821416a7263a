import { expect, it } from "vitest";
import { createScrubber } from "./scrub.ts";

it("takes out the credentials it was told of, the longer of two that overlap first (SEC-9)", () => {
  const scrub = createScrubber(["secret-token", "secret-token-and-more", null, undefined]);

  expect(scrub("a secret-token-and-more b secret-token c")).toBe("a [removed] b [removed] c");
});

it("takes out what looks like a key although nobody told it (SEC-9)", () => {
  const scrub = createScrubber([]);

  expect(scrub('{"authorization":"Bearer abc.def-123456"} sk-ant-api03-AAAA_bbbb-cc')).toBe(
    '{"authorization":"Bearer [removed]"} [removed]',
  );
});

it("leaves ordinary words alone, even when a secret is absurdly short", () => {
  expect(createScrubber(["a"])("a bearer of news")).toBe("a bearer of news");
});
