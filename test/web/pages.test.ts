import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { axeFindings, isAlive, lowTargets, shoot, startBrowser, wideElements } from "./browser.ts";
import type { Look, TestBrowser } from "./browser.ts";

let browser: TestBrowser;
let empty: HallProcess;
let used: HallProcess;
let session: string;

beforeAll(async () => {
  [browser, empty, used] = await Promise.all([startBrowser(), startSharedHall(), startSharedHall()]);
  for (const name of ["Docs information architecture", "Flaky login test", "Release 2.14 checklist"])
    await used.client.sessions.create({ name });
  session = await haveConversation(used);
});

const looks: Look[] = [
  { theme: "light", width: 1440 },
  { theme: "dark", width: 1440 },
  { theme: "light", width: 390 },
  { theme: "dark", width: 390 },
];

type Scene = { name: string; url: () => string; ready: (page: Page) => Promise<unknown> };

const scenes: Scene[] = [
  { name: "first-run", url: () => empty.url, ready: (page) => page.getByRole("heading", { name: "The hall is open" }).waitFor() },
  { name: "hall", url: () => used.url, ready: (page) => page.getByRole("heading", { name: "Board" }).waitFor() },
  { name: "workshop", url: () => `${used.url}/sessions/${session}`, ready: (page) => page.getByRole("article").nth(3).waitFor() },
  { name: "settings", url: () => `${used.url}/settings`, ready: (page) => page.getByRole("heading", { name: "This machine" }).waitFor() },
  { name: "gallery", url: () => `${used.url}/gallery`, ready: (page) => page.getByRole("heading", { name: "Colour" }).waitFor() },
];

describe.each(looks)("in $theme at $width px", (look) => {
  it.each(scenes)("$name has nothing that axe finds wrong and does not scroll sideways", async ({ name, url, ready }) => {
    const page = await browser.open(url(), look);
    await ready(page);
    await shoot(page, `${name}-${look.width}-${look.theme}`);

    expect(await wideElements(page)).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
  });

  it("a page that is not there says so in the house style", async () => {
    const page = await browser.open(`${used.url}/no/such/page`, { ...look, expects: /404/ });
    await page.getByRole("heading", { level: 1, name: "Nothing is here" }).waitFor();
    await shoot(page, `not-found-${look.width}-${look.theme}`);

    expect(await axeFindings(page)).toEqual([]);
  });

  it("the dialogs have nothing that axe finds wrong", async () => {
    const page = await browser.open(used.url, look);
    await isAlive(page);

    for (const { name, key } of dialogs) {
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
      await shoot(page, `${name}-${look.width}-${look.theme}`);
      expect(await wideElements(page)).toEqual([]);
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    }
  });
});

describe("a page that cannot be drawn", () => {
  it("says so in the house style, and what is safe", async () => {
    const { id } = await used.client.sessions.create({ name: "Unreadable" });
    await mkdir(join(used.home, "sessions", id, "messages.jsonl"));
    const page = await browser.open(`${used.url}/sessions/${id}`, { expects: /./ });

    await page.getByRole("heading", { level: 1, name: "This page could not be drawn" }).waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await shoot(page, "error-page");

    expect(await axeFindings(page)).toEqual([]);
  });

  it("shows a session whose file somebody broke as broken, and names the file", async () => {
    const { id } = await used.client.sessions.create({ name: "Broken" });
    await writeFile(join(used.home, "sessions", id, "session.json"), "{ not JSON");
    const page = await browser.open(`${used.url}/sessions/${id}`);

    await page.getByRole("log").getByText("session.json is broken").waitFor();

    expect(await page.getByRole("button", { name: "Send" }).getAttribute("aria-disabled")).toBe("true");
  });
});

describe("under a thumb", () => {
  it.each(scenes)("$name has targets of at least 44 px", async ({ url, ready }) => {
    const page = await browser.open(url(), { width: 390 });
    await ready(page);

    expect(await lowTargets(page)).toEqual([]);
  });
});

const dialogs = [
  { name: "palette", key: "Control+k" },
  { name: "new-session", key: "n" },
  { name: "keys", key: "?" },
];

async function haveConversation({ client }: HallProcess): Promise<string> {
  const { id } = await client.sessions.create({ name: "A first look" });
  for (const text of ["tour", "markdown", "failing tool"]) {
    await client.sessions.send(id, text);
    for await (const { event } of client.sessions.events(id)) if (event.event === "done") break;
  }
  return id;
}
