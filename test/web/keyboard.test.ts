import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { newSessionId } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, isAlive, setLook, startBrowser } from "./browser.ts";
import { command, pressOn, tabTo, writeInto } from "./by-keyboard.ts";
import { answer, called, withMessages } from "./session-stage.ts";
import { minutesAgo, storeSessions } from "./stored-sessions.ts";

let hall: Hall;
let page: Page;

const forgotten = newSessionId();

beforeAll(async () => {
  const prepare = (home: string) =>
    storeSessions(home, [
      { name: "Cursor migration plan" },
      { name: "Invoice numbering", lastActivityAt: minutesAgo(1) },
      { id: forgotten, name: "Forgotten", status: "expired", lastActivityAt: minutesAgo(2) },
    ]);
  const [browser, shared] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false, prepare })]);
  hall = shared;
  page = await browser.open(hall.url, { lasts: true });
});

// Nothing in this file touches a mouse: it only presses keys, and looks.
describe("by keyboard alone", () => {
  it("the palette finds a session and opens it", async () => {
    await open("");

    await page.keyboard.press("Control+k");
    await page.keyboard.type("invoice");
    await page.getByRole("option", { name: "Invoice numbering Workshop" }).waitFor();
    await page.keyboard.press("Enter");

    await expect.poll(heading).toBe("Invoice numbering");
  });

  it("arrows move in the palette, and what it cannot find it offers to start", async () => {
    await open("");

    await page.keyboard.press("Control+k");
    const selected = page.getByRole("option", { selected: true });
    const first = await selected.innerText();
    await page.keyboard.press("ArrowDown");
    expect(await selected.innerText()).not.toBe(first);
    await page.keyboard.press("ArrowUp");
    expect(await selected.innerText()).toBe(first);
    await page.keyboard.type("Harbour survey");
    await page.getByRole("option", { name: "New session named “Harbour survey”" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New session" }).waitFor();

    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Harbour survey");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { level: 1, name: "Harbour survey" }).waitFor();
  });

  it("the first Tab reaches the skip link, and focus goes back to what opened a layer when it closes", async () => {
    await page.goto(hall.url);
    await isAlive(page);

    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused()).toBe("MAIN");
    await open("");
    const opener = page.getByRole("banner").getByRole("button", { name: "Search or run a command" });
    await pressOn(opener);
    await page.getByRole("combobox").waitFor();
    expect(await focused()).toBe("INPUT");
    await page.keyboard.press("Escape");

    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await opener.and(page.locator(":focus")).count()).toBe(1);
  });

  it("letters typed into a field are text, and single letters can be turned off for good", async () => {
    await open("");
    await command(page, "new session");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { level: 1, name: "New session" }).waitFor();
    await tabTo(page.getByRole("textbox", { name: "Message" }));
    await page.keyboard.press("n");
    expect(await page.getByRole("dialog").count()).toBe(0);

    await open("");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    const letters = page.getByRole("checkbox", { name: "Single-letter keys" });
    await tabTo(letters);
    await page.keyboard.press("Space");
    await page.reload();
    await isAlive(page);
    await page.keyboard.press("?");
    await page.keyboard.press("n");
    await page.keyboard.press("Control+k");

    await page.getByRole("combobox").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(1);
    await page.keyboard.press("Escape");
    await tabTo(letters);
    await page.keyboard.press("Space");
    await tabTo(page.getByRole("button", { name: "As the system" }), "Shift+Tab");
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await expect.poll(heading).toBe("Nothing is running");
  });

  it("a session is begun, spoken to, stopped; what waits is taken back, and it goes on", async () => {
    await open("");

    await page.keyboard.press("n");
    await page.getByRole("dialog", { name: "New session" }).waitFor();
    await page.keyboard.type("Long talk");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { level: 1, name: "Long talk" }).waitFor();
    await writeInto(page.getByRole("textbox", { name: "Message" }), "long answer");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Line 2 of 120").waitFor();
    await page.keyboard.type("and then this");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: /waits/ }).getByText("and then this").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Held back after the last answer broke off.").waitFor();
    await tabTo(page.getByRole("button", { name: "Remove from the queue" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: /waits/ }).waitFor({ state: "detached" });
    await tabTo(page.getByRole("button", { name: "Continue" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await command(page, "stop the run");

    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    expect((await hall.client.sessions.list({ status: "running" })).sessions).toEqual([]);
  });

  it("the context file and the limit of a session are changed, and a file of it is opened and closed", async () => {
    const { id } = await hall.client.sessions.create({ name: "With files", context: "# Plan\n" });
    await hall.client.sessions.artifacts.add(id, "notes.txt", new Blob(["Here I am."]));
    await open(`/sessions/${id}`);

    await tabTo(page.getByRole("textbox", { name: "context.md" }));
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Ship it.");
    await page.getByText(/^Saved \d\d:\d\d\./).waitFor();
    expect((await hall.client.sessions.context.read(id)).text).toBe("# Plan\nShip it.");
    await pressOn(page.getByRole("link", { name: /notes\.txt/ }));
    await page.getByRole("dialog", { name: "notes.txt" }).getByText("Here I am.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await pressOn(page.getByRole("button", { name: "Set a limit" }));
    await page.keyboard.type("4");
    await page.keyboard.press("Enter");

    await page.getByRole("meter", { name: "Session limit" }).waitFor();
    expect((await hall.client.sessions.get(id)).session.limits.maxCostUsd).toBe(4);
  });

  it("what can be done with a session is in the palette: rename, attach, export, complete, delete, and renew", async () => {
    const session = await hall.client.sessions.create({ name: "By command" });
    await open(`/sessions/${session.id}`);

    await command(page, "rename");
    await page.getByRole("textbox", { name: "Name of the session" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Renamed by command");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Renamed by command" }).waitFor();
    const chooser = page.waitForEvent("filechooser");
    await command(page, "attach");
    await chooser;
    const exported = page.waitForEvent("download");
    await command(page, "export as json");
    expect((await exported).suggestedFilename()).toBe("Renamed-by-command.json");
    await command(page, "complete");
    await pressOn(page.getByRole("dialog", { name: /Complete/ }).getByRole("button", { name: "Complete session" }));
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await command(page, "delete");
    await pressOn(page.getByRole("dialog").getByRole("button", { name: "Delete session" }));

    await expect.poll(heading).toBe("Nothing is running");
    await open(`/sessions/${forgotten}`);
    await command(page, "renew");
    await expect.poll(async () => (await hall.client.sessions.get(forgotten)).session.status).toBe("idle");
  });

  it("M leads to where a message is written, also from a panel in its place", async () => {
    const session = await hall.client.sessions.create({ name: "To the composer" });
    await open(`/sessions/${session.id}`);
    const isWriting = () => page.evaluate<boolean>("document.activeElement.matches('textarea[aria-label=Message]')");

    await tabTo(page.getByRole("log"), "Shift+Tab");
    await page.keyboard.press("m");
    await expect.poll(isWriting).toBe(true);
    await setLook(page, { width: 390 });
    await tabTo(page.getByRole("group", { name: "Session parts" }).getByRole("button", { name: "Context" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("m");
    await expect.poll(isWriting).toBe(true);
    await setLook(page, {});

    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");
  });

  it("O opens and closes the tool row that has focus", async () => {
    await open(`/sessions/${await withMessages(hall, "Rows", [answer(...called("Read", "1 line"))])}`);
    const row = page.locator("details").first();

    await tabTo(row.locator("summary"));
    await page.keyboard.press("o");

    expect(await row.getAttribute("open")).not.toBeNull();
    await page.keyboard.press("o");
    expect(await row.getAttribute("open")).toBeNull();
  });

  it("the Board is searched and narrowed, and what is found is opened", async () => {
    await open("");
    const names = () => page.getByRole("region", { name: "Board" }).getByRole("heading", { level: 3 }).allInnerTexts();

    await page.keyboard.press("/");
    await page.keyboard.type("cursor");
    await expect.poll(names).toEqual(["Cursor migration plan"]);
    await page.keyboard.press("Escape");
    await pressOn(page.getByRole("group", { name: "Filter sessions" }).getByRole("button", { name: /^Ended/ }));
    await page.getByText("No session is ended").waitFor();
    await tabTo(page.getByRole("group", { name: "Filter sessions" }).getByRole("button", { name: /^All/ }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await names()).length).toBeGreaterThan(1);
    await page.keyboard.press("/");
    await page.keyboard.type("cursor");
    await expect.poll(names).toEqual(["Cursor migration plan"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");

    await expect.poll(heading).toBe("Cursor migration plan");
  });

  it("the limit of the day is changed in the settings", async () => {
    await open("/settings");

    await writeInto(page.getByRole("textbox", { name: "Limit for a day" }), "7.50");
    await page.keyboard.press("Enter");

    await page.getByText("Today has a limit of $7.50, set here.").waitFor();
    expect((await hall.client.spending.get()).limit).toEqual({ perDayUsd: 7.5, from: "today" });
  });
});

/** Comes from elsewhere, so that nothing is left of what was there before. */
async function open(path: string): Promise<void> {
  if (new URL(page.url()).pathname === (path === "" ? "/" : path)) await goTo(page, `${hall.url}/roster`);
  await goTo(page, `${hall.url}${path}`);
}

const heading = (): Promise<string> => page.getByRole("heading", { level: 1 }).innerText();

const focused = (): Promise<string> => page.evaluate<string>("document.activeElement.tagName");
