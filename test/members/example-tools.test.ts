import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, inflateSync } from "node:zlib";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { beforeAll, describe, expect, it } from "vitest";
import { exampleFolder, startExample } from "./example-process.ts";
import type { Example } from "./example-process.ts";

let example: Example;
beforeAll(async () => {
  example = await startExample();
  return example.end;
});

const call = async (
  name: string,
  input: Record<string, unknown> = {},
  options?: Parameters<Client["callTool"]>[2],
): Promise<CallToolResult> => CallToolResultSchema.parse(await example.client.callTool({ name, arguments: input }, undefined, options));

const textOf = ({ content: [first] }: CallToolResult): string => (first?.type === "text" ? first.text : "");

describe("the tools of the example member really compute what they say", () => {
  it("count_words: a table of words in any language", async () => {
    const { structuredContent } = await call("count_words", { text: "The cat saw the dog.\n猫が好き", ignore: ["saw"], top: 2 });

    expect(structuredContent).toMatchObject({
      characters: 25,
      lines: 2,
      words: 8,
      frequent: [{ word: "the", count: 2, share: 0.25 }, { count: 1 }],
    });
  });

  it.each([
    [{ kind: "temperature", value: 100, from: "°C", to: "°F" }, "100 °C = 212 °F"],
    [{ kind: "length", value: 26.2, from: "mi", to: "km" }, "26.2 mi = 42.16 km"],
    [{ kind: "mass", value: 16, from: "oz", to: "lb" }, "16 oz = 1 lb"],
  ])("convert_units: %j", async (measurement, sentence) => {
    expect(textOf(await call("convert_units", { measurement }))).toBe(sentence);
  });

  it("convert_units: refuses a unit of another kind", async () => {
    expect(await call("convert_units", { measurement: { kind: "mass", value: 1, from: "kg", to: "km" } })).toMatchObject({ isError: true });
  });

  it("divide: fails in words where there is no answer", async () => {
    expect(textOf(await call("divide", { dividend: 22, divisor: 7, whole: true }))).toBe("3, remainder 1");
    expect(await call("divide", { dividend: 1, divisor: 0 })).toMatchObject({ isError: true });
  });

  it("roll_dice: falls the same way with a seed, however the dice are written", async () => {
    const written = await call("roll_dice", { dice: "3d6+2", seed: 7 });
    const fields = await call("roll_dice", { dice: { count: 3, sides: 6, modifier: 2 }, seed: 7 });

    expect(fields).toEqual(written);
    expect(written.structuredContent?.["rolls"]).toHaveLength(3);
  });

  it("plan_trip: spreads the nights over the stops and the budget over the travellers", async () => {
    const trip = {
      title: "Coast",
      start: "2028-02-28",
      nights: 3,
      organiser: { name: "Ada", contact: { email: "ada@example.org" } },
      travellers: [{ name: "Ada" }, { name: "Bo", vegetarian: true }],
      stops: ["Lisbon", "Porto"],
      budget: { amount: 100.5, currency: "EUR" },
      packing: { socks: 4 },
    };

    const { structuredContent, content } = await call("plan_trip", trip);
    const tooFast = await call("plan_trip", { ...trip, pace: "relaxed" });

    expect(structuredContent).toEqual({
      stays: [
        { stop: "Lisbon", arrival: "2028-02-28", nights: 2 },
        { stop: "Porto", arrival: "2028-03-01", nights: 1 },
      ],
      perPerson: 50.25,
    });
    expect(content[0]).toMatchObject({ text: expect.stringContaining("| 2028-03-01 | Porto | 1 |") as unknown });
    expect(textOf(tooFast)).toBe("2 stops at a relaxed pace need at least 4 nights, not 3.");
  });

  it("write_outline: sections within sections, as an embedded text", async () => {
    const { content } = await call("write_outline", {
      heading: "A",
      sections: [{ heading: "B", sections: [{ heading: "C", text: "d" }] }],
    });

    expect(content[1]).toMatchObject({
      type: "resource",
      resource: { mimeType: "text/markdown", text: "# A\n\n## 1 B\n\n### 1.1 C\n\nd" },
    });
  });

  it("draw_chart: a PNG whose pixels are the bars", async () => {
    const { content } = await call("draw_chart", { values: [1, 2], colour: "#ff0000", width: 64, height: 64 });
    const pixels = pixelsOf(content[0]);

    expect(pixels(10, 10)).toEqual([255, 255, 255]);
    expect(pixels(10, 60)).toEqual([255, 0, 0]);
    expect(pixels(40, 10)).toEqual([255, 0, 0]);
  });

  it("draw_chart: an SVG as well", async () => {
    const { content } = await call("draw_chart", { values: [1], format: "svg", direction: "right" });

    expect(content[0]).toMatchObject({ type: "image", mimeType: "image/svg+xml" });
    expect(bytesOf(content[0]).toString()).toMatch(/^<svg .*<rect x="0" y="0" width="320" height="158" fill="#b45309"\/><\/svg>$/);
  });

  it("play_melody: a WAV as long as its notes, at their pitch", async () => {
    const { content } = await call("play_melody", { melody: [{ note: "A4", beats: 2 }, { note: "-" }], tempo: 120 });
    const wav = bytesOf(content[0]);
    const samples = Array.from({ length: (wav.length - 44) / 2 }, (_, at) => wav.readInt16LE(44 + at * 2));
    const crossings = samples.filter((sample, at) => sample >= 0 && (samples[at - 1] ?? 0) < 0).length;

    expect(wav.toString("latin1", 0, 4)).toBe("RIFF");
    expect(samples).toHaveLength(Math.round(11_025 * 1.5));
    // 440 swings in its one second of sound; the half second of rest has none.
    expect(Math.abs(crossings - 440)).toBeLessThan(3);
    expect(await call("play_melody", { melody: Array.from({ length: 10 }, () => ({ note: "C4", beats: 8 })) })).toMatchObject({
      isError: true,
    });
  });

  it("compress_text: a gzip file with the text in it", async () => {
    const { content } = await call("compress_text", { text: "hello", name: "hello.gz" });
    const [, file] = content;

    expect(file).toMatchObject({ type: "resource", resource: { uri: "example://made/hello.gz", mimeType: "application/gzip" } });
    expect(gunzipSync(bytesOf(file)).toString()).toBe("hello");
  });

  it("list_files: links that can be followed, and nothing beside them", async () => {
    const { content } = await call("list_files", { kind: "documents" });
    const links = content.filter((each) => each.type === "resource_link");
    const { contents } = await example.client.readResource({ uri: links[0]?.uri ?? "" });

    expect(links.map(({ name }) => name)).toEqual(["README.md", "guild-member.json"]);
    expect(contents).toMatchObject([{ text: await readFile(join(exampleFolder, "README.md"), "utf8") }]);
    await expect(example.client.readResource({ uri: "example://files/../../package.json" })).rejects.toThrow("There is no");
  });

  it("list_primes: a long text", async () => {
    const text = textOf(await call("list_primes", { upTo: 1_000_000 }));

    expect(text.split("\n")).toHaveLength(78_498);
  });

  it("count_down: tells its progress", async () => {
    const heard: number[] = [];

    const answer = await call("count_down", { seconds: 0.2, stepsPerSecond: 20 }, { onprogress: ({ progress }) => heard.push(progress) });

    expect(heard).toEqual([1, 2, 3, 4]);
    expect(textOf(answer)).toBe("Counted down 4 steps in 0.2 s.");
  });

  it("count_down: stops when nobody waits any more, and others are answered meanwhile", async () => {
    const leaving = new AbortController();
    const waiting = call(
      "count_down",
      { seconds: 600, stepsPerSecond: 20 },
      { signal: leaving.signal, onprogress: () => leaving.abort("enough") },
    );

    await expect(waiting).rejects.toThrow("enough");
    expect(textOf(await call("tell_time"))).toMatch(/^It is \d{4}-/);
  });
});

function bytesOf(content: CallToolResult["content"][number] | undefined): Buffer {
  if (content?.type === "image" || content?.type === "audio") return Buffer.from(content.data, "base64");
  if (content?.type === "resource" && "blob" in content.resource) return Buffer.from(content.resource.blob, "base64");
  throw new Error(`There are no bytes in ${JSON.stringify(content)}.`);
}

/** Reads a PNG as we write them: one chunk of rows without filters. */
function pixelsOf(content: CallToolResult["content"][number] | undefined): (x: number, y: number) => number[] {
  const png = bytesOf(content);
  const width = png.readUInt32BE(16);
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  return (x, y) => [...rows.subarray(y * (width * 3 + 1) + 1 + x * 3, y * (width * 3 + 1) + 4 + x * 3)];
}
