import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { entryAddress } from "../../src/schema/entry-code.ts";
import { createMachine } from "../../src/server/without-hall.ts";
import { joinCommandLine } from "../../src/web/format/command-line.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, isAlive, setVisibility, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { areConnected } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: Hall;

beforeAll(async () => {
  const config = "limits:\n  perDayUsd: 5\n";
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: "example", waiting: false, config })]);
  await areConnected(hall, "example");
});

const { command, args } = playedBy("stdio", "well").mcp;
const note = (page: Page) =>
  page.getByRole("main").getByText(/run guild-hall open on the hall’s machine and open the address it prints\.$/);

describe("a browser that came by the printed address", () => {
  it("adds a member and never meets the key (SEC-21)", async () => {
    const page = await browser.blank({ person: false });
    await page.goto(entryAddress(hall.url, await hall.client.entryCode()));
    await isAlive(page);
    expect(page.url()).toBe(`${hall.url}/`);
    await goTo(page, `${hall.url}/roster`);

    await page.getByRole("button", { name: "Add member" }).click();
    const dialog = page.getByRole("dialog", { name: "Add member" });
    await dialog.getByRole("textbox", { name: "Command" }).fill(joinCommandLine([command, ...args]));
    await dialog.getByRole("textbox", { name: /^Name/ }).fill("played");
    await dialog.getByRole("button", { name: "Review the command" }).click();
    await dialog.getByRole("button", { name: "Add and start" }).click();
    await dialog.getByText("Connected").waitFor();

    expect(await note(page).count()).toBe(0);
    await hall.client.roster.remove("played");
  });
});

describe("a browser that the desktop opened with a file", () => {
  it("is the person's from its first page on (SEC-21)", async () => {
    const machine = createMachine({ env: process.env, folder: hall.home });
    const file = await machine.writeEntryPage(hall.home, entryAddress(hall.url, await hall.client.entryCode()));
    const page = await browser.blank({ person: false });

    await page.goto(pathToFileURL(file).href);
    await page.waitForURL(`${hall.url}/`);
    await isAlive(page);
    await goTo(page, `${hall.url}/roster`);

    expect(await page.getByRole("button", { name: "Add member" }).count()).toBe(1);
    expect(await note(page).count()).toBe(0);
  });
});

describe("a browser that the person no longer wants to decide", () => {
  it("is forgotten from its settings, and closed from then on (SEC-21)", async () => {
    const { context, tab } = await browser.window({ person: false });
    const page = await tab(entryAddress(hall.url, await hall.client.entryCode()));
    await isAlive(page);
    await goTo(page, `${hall.url}/settings`);

    await page.getByRole("button", { name: "Forget this browser" }).click();

    await note(page).waitFor();
    expect(await context.cookies()).toEqual([]);
    expect(await page.getByRole("button", { name: "Forget this browser" }).count()).toBe(0);
  });
});

describe("a browser that came by the bare address", () => {
  it("says at each closed button, in one sentence, how to open it, and opens when the person does so in another tab (SEC-21)", async () => {
    const { context, tab } = await browser.window({ person: false });
    const page = await tab(`${hall.url}/roster`);
    await isAlive(page);
    const add = page.getByRole("button", { name: "Add member" });

    await add.press("Enter");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await note(page).count()).toBe(1);
    expect(await outOfOrder(page, "person-roster", { looks: lightDarkSmall })).toEqual([]);
    await goTo(page, `${hall.url}/roster/example`);
    await page.getByRole("button", { name: "Remove…" }).press("Enter");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await note(page).count()).toBe(1);
    expect(await outOfOrder(page, "person-member", { looks: lightDarkSmall })).toEqual([]);
    await goTo(page, `${hall.url}/settings`);
    await page.getByRole("textbox", { name: "Limit for a day" }).fill("100");
    await page.getByRole("button", { name: "Set for good" }).press("Enter");
    await page.keyboard.press("Enter");
    expect(await note(page).count()).toBe(1);
    expect(await outOfOrder(page, "person-settings", { looks: lightDarkSmall })).toEqual([]);
    expect((await hall.client.spending.get()).limit).toEqual({ perDayUsd: 5, from: "config" });

    const other = await tab(entryAddress(hall.url, await hall.client.entryCode()));
    await other.close();
    expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: "Strict" }]);
    await setVisibility(page, "hidden");
    await setVisibility(page, "visible");
    await note(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Set for good" }).click();
    await expect.poll(async () => (await hall.client.spending.get()).limit.perDayUsd).toBe(100);
  });

  it("says what to do where an address was used before", async () => {
    const page = await browser.blank({ person: false, expects: /403/ });
    await page.goto(`${hall.url}/open?code=used`);

    await page.getByRole("heading", { name: "This address cannot be used again" }).waitFor();
    expect(await outOfOrder(page, "person-used", { looks: lightDarkSmall })).toEqual([]);
    await page.getByRole("link", { name: "Open the hall without it" }).click();
    await isAlive(page);
  });
});
