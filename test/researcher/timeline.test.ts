import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { JobEvent } from "../../guild-members/researcher/job.ts";
import { appendEvent, readEvents } from "../../guild-members/researcher/timeline.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const at = "2026-01-02T03:04:05.678Z";
const words = (events: JobEvent[]): string[] => events.map((event) => (event.type === "text" ? event.text : event.type));

async function timelineOf(texts: string[]): Promise<string> {
  const path = join(await temporaryFolder(), "timeline.jsonl");
  let size: number | null = null;
  for (const text of texts) size = await appendEvent(path, { type: "text", text }, at, size);
  return path;
}

describe("a timeline", () => {
  it("gives what came after an event, and everything to whoever has seen none", async () => {
    const path = await timelineOf(["one", "zwö🌙", "three"]);

    const { events } = await readEvents(path, 0);

    expect(words(events)).toEqual(["one", "zwö🌙", "three"]);
    expect(words((await readEvents(path, events[1]?.id ?? 0)).events)).toEqual(["three"]);
    expect((await readEvents(path, events[2]?.id ?? 0)).events).toEqual([]);
    expect((await readEvents(path, 1_000_000)).events).toEqual([]);
    expect(events[0]?.id).toBeGreaterThan(0);
    expect(
      (await readFile(path, "utf8"))
        .split("\n")
        .slice(0, 3)
        .map((line) => (JSON.parse(line) as JobEvent).id),
    ).toEqual(events.map(({ id }) => id));
  });

  it("comes in pages of at most 500 events and one mebibyte, and no event is missing or told twice", async () => {
    const short = Array.from({ length: 1100 }, (_, index) => `event ${index}`);
    const long = Array.from({ length: 60 }, (_, index) => `${index}: ${"x".repeat(30_000)}`);
    const path = await timelineOf([...short, ...long]);
    const pages: JobEvent[][] = [];

    for (let after = 0, hasMore = true; hasMore;) {
      const page = await readEvents(path, after);
      pages.push(page.events);
      after = page.events.at(-1)?.id ?? after;
      ({ hasMore } = page);
    }

    expect(pages.flatMap(words)).toEqual([...short, ...long]);
    expect(Math.max(...pages.map(({ length }) => length))).toBe(500);
    expect(Math.max(...pages.map((events) => Buffer.byteLength(JSON.stringify(events))))).toBeLessThan(1024 * 1024 + 1000);
    expect(pages.map(({ length }) => length)).toEqual([500, 500, 134, 26]);
  });

  it("drops a last line that a crash tore, and goes on after what is whole", async () => {
    const path = await timelineOf(["one"]);
    await appendFile(path, '{"id":77,"at":"2026-01-0');

    const torn = await readEvents(path, 0);
    await appendEvent(path, { type: "text", text: "two" }, at, null);

    expect(words(torn.events)).toEqual(["one"]);
    expect(words((await readEvents(path, 0)).events)).toEqual(["one", "two"]);
  });

  it("says of each broken line that it cannot be read, in its place and on stderr, and leaves the file as it is (REQ-WD-11)", async () => {
    const path = await timelineOf(["one", "two", "three"]);
    const [first, second, third] = (await readFile(path, "utf8")).split("\n");
    const content = `${first}\nnot JSON\n\n42\n${second}\n${third?.slice(0, 9)}\n`;
    await writeFile(path, content);
    const told = vi.spyOn(console, "error").mockReturnValue(undefined);
    onTestFinished(() => told.mockRestore());

    const { events } = await readEvents(path, 0);
    const later = await readEvents(path, events[0]?.id ?? 0);

    const sign = (line: string) => `(A line of timeline.jsonl, at byte ${content.indexOf(line)}, cannot be read. It was left as it is.)`;
    expect(words(events)).toEqual(["one", sign("not JSON"), sign("42"), "two", sign(`${third?.slice(0, 9)}\n`)]);
    expect(new Set(events.map((event) => event.at))).toEqual(new Set([at]));
    expect(later.events).toEqual(events.slice(1));
    expect(told).toHaveBeenCalledWith(`${path} cannot be read at byte ${content.indexOf("not JSON")}: the line there is not an event.`);
    expect(await readFile(path, "utf8")).toBe(content);
  });

  it("keeps of something huge only its beginning, or that it happened", async () => {
    const path = await timelineOf(["x".repeat(3_000_000)]);
    await appendEvent(
      path,
      { type: "tool_use", toolUseId: "1", name: "Read", input: Array.from({ length: 100 }, () => "y".repeat(30_000)) },
      at,
      null,
    );

    const { events } = await readEvents(path, 0);

    expect(words(events)).toEqual([
      expect.stringMatching(/^x{32768}… \(3000000 characters\)$/),
      expect.stringContaining("too much to be kept: tool_use"),
    ]);
  });
});
