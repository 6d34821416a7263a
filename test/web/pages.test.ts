import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { axeFindings, isAlive, setLook, shoot, startBrowser, wideElements } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { everyLook, outOfOrderInAnyLook } from "./looks.ts";

let browser: TestBrowser;
let hall: HallProcess;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ waiting: false })]);
});

describe("a hall in which nothing has happened yet", () => {
  it("is in order in every look", async () => {
    const page = await browser.open(hall.url);
    await page.getByRole("heading", { name: "The hall is open" }).waitFor();

    expect(await outOfOrderInAnyLook(page, "first-run")).toEqual([]);
  });
});

type Scene = { name: string; path: () => string; ready: (page: Page) => Promise<unknown> };

const scenes: Scene[] = [
  { name: "hall", path: () => "", ready: (page) => page.getByRole("heading", { name: "Board" }).waitFor() },
  { name: "workshop", path: () => `/sessions/${session}`, ready: (page) => page.getByRole("article").nth(3).waitFor() },
  { name: "settings", path: () => "/settings", ready: (page) => page.getByRole("heading", { name: "This machine" }).waitFor() },
  { name: "gallery", path: () => "/gallery", ready: (page) => page.getByRole("heading", { name: "Colour" }).waitFor() },
];

let session: string;

/** The gallery shows everything there is, and axe looks at every bit of it. */
const timeout = 180_000;

describe("a hall in use, in every look", { timeout }, () => {
  beforeAll(async () => {
    for (const name of ["Docs information architecture", "Flaky login test", "Release 2.14 checklist"])
      await hall.client.sessions.create({ name });
    session = await haveConversation(hall);
  });

  it.each(scenes)("$name has nothing that axe finds wrong, does not scroll sideways and fits a thumb", async ({ name, path, ready }) => {
    const page = await browser.open(`${hall.url}${path()}`);
    await ready(page);

    expect(await outOfOrderInAnyLook(page, name, ready)).toEqual([]);
  });

  it("a page that is not there says so in the house style", async () => {
    const page = await browser.open(`${hall.url}/no/such/page`, { expects: /404/ });
    await page.getByRole("heading", { level: 1, name: "Nothing is here" }).waitFor();

    expect(await outOfOrderInAnyLook(page, "not-found")).toEqual([]);
  });

  it.each([
    { name: "palette", key: "Control+k" },
    { name: "new-session", key: "n" },
    { name: "keys", key: "?" },
  ])("the dialog $name has nothing that axe finds wrong", async ({ name, key }) => {
    const page = await browser.open(hall.url);
    await isAlive(page);

    await page.keyboard.press(key);
    await page.getByRole("dialog").waitFor();

    for (const look of everyLook) {
      await setLook(page, look);
      await shoot(page, `${name}-${look.width}-${look.theme}`);
      expect(await wideElements(page)).toEqual([]);
      expect(await axeFindings(page, look.theme === "dark" ? "colours" : "everything")).toEqual([]);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });
});

describe("a page that cannot be drawn", () => {
  it("says so in the house style, and what is safe", async () => {
    const { id } = await hall.client.sessions.create({ name: "Unreadable" });
    await mkdir(join(hall.home, "sessions", id, "messages.jsonl"));
    const page = await browser.open(`${hall.url}/sessions/${id}`, { expects: /./ });

    await page.getByRole("heading", { level: 1, name: "This page could not be drawn" }).waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await shoot(page, "error-page");

    expect(await axeFindings(page)).toEqual([]);
  });

  it("shows a session whose file somebody broke as broken, and names the file", async () => {
    const { id } = await hall.client.sessions.create({ name: "Broken" });
    await writeFile(join(hall.home, "sessions", id, "session.json"), "{ not JSON");
    const page = await browser.open(`${hall.url}/sessions/${id}`);

    await page.getByRole("log").getByText("session.json is broken").waitFor();

    expect(await page.getByRole("button", { name: "Send" }).getAttribute("aria-disabled")).toBe("true");
  });
});

async function haveConversation({ client }: HallProcess): Promise<string> {
  const { id } = await client.sessions.create({ name: "A first look" });
  for (const text of ["tour", "markdown", "failing tool"]) {
    await client.sessions.send(id, text);
    for await (const { event } of client.sessions.events(id)) if (event.event === "done") break;
  }
  return id;
}
