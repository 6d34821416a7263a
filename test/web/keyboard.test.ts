import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { isAlive, setLook, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";

let browser: TestBrowser;
let hall: HallProcess;
let page: Page;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  for (const name of ["Cursor migration plan", "Invoice numbering"]) await hall.client.sessions.create({ name });
  page = await browser.open(hall.url, { lasts: true });
});

describe("by keyboard alone", () => {
  it("the palette finds a session and opens it", async () => {
    await open(hall.url);

    await page.keyboard.press("Control+k");
    await page.keyboard.type("invoice");
    await page.getByRole("option", { name: "Invoice numbering Workshop" }).waitFor();
    await page.keyboard.press("Enter");

    await expect.poll(() => heading(page)).toBe("Invoice numbering");
  });

  it("arrows move in the palette, and what it cannot find it offers to start", async () => {
    await open(hall.url);

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

  it("focus goes back to what opened a layer when it closes", async () => {
    await open(hall.url);
    const opener = page.getByRole("banner").getByRole("button", { name: "Search or run a command" });

    await opener.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("combobox").waitFor();
    expect(await focused(page)).toBe("INPUT");
    await page.keyboard.press("Escape");

    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Search or run a command");
    expect(await focused(page)).toBe("BUTTON");
  });

  it("G then S goes to the settings, G then H back to the hall", async () => {
    await open(hall.url);

    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("h");

    await expect.poll(() => heading(page)).toBe("Nothing is running");
  });

  it("letters typed into a field are text, and single letters can be turned off for good", async () => {
    await open(hall.url);
    await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Cursor migration plan" }).click();
    await page.getByRole("textbox", { name: "Message" }).press("n");
    expect(await page.getByRole("dialog").count()).toBe(0);

    await open(`${hall.url}/settings`);
    await page.getByRole("checkbox", { name: "Single-letter keys" }).uncheck();
    await open(hall.url);
    await page.keyboard.press("?");
    await page.keyboard.press("n");
    await page.keyboard.press("Control+k");

    await page.getByRole("combobox").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(1);
    await open(`${hall.url}/settings`);
    await page.getByRole("checkbox", { name: "Single-letter keys" }).check();
  });

  it("the first Tab reaches the skip link, which leads to the content", async () => {
    await open(hall.url);

    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Skip to content");
    await page.keyboard.press("Enter");

    await expect.poll(() => focused(page)).toBe("MAIN");
  });

  it("Escape stops a run when nothing lies above it", async () => {
    const session = await hall.client.sessions.create({ name: "Escaping" });
    await open(`${hall.url}/sessions/${session.id}`);

    await page.getByRole("textbox", { name: "Message" }).fill("long answer");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Line 2 of 120").waitFor();
    await page.keyboard.press("Escape");

    await expect.poll(() => page.getByRole("button", { name: "Continue" }).count()).toBe(1);
  });

  it("what can be done with a session is in the palette: rename, attach, export, stop, complete and delete", async () => {
    const session = await hall.client.sessions.create({ name: "By command" });
    await open(`${hall.url}/sessions/${session.id}`);

    await command("rename");
    await page.getByRole("textbox", { name: "Name of the session" }).fill("Renamed by command");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Renamed by command" }).waitFor();
    const chooser = page.waitForEvent("filechooser");
    await command("attach");
    await chooser;
    const exported = page.waitForEvent("download");
    await command("export as json");
    expect((await exported).suggestedFilename()).toBe("Renamed-by-command.json");
    await page.getByRole("textbox", { name: "Message" }).fill("long answer");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Line 2 of 120").waitFor();
    await command("stop");
    await page.getByRole("button", { name: "Continue" }).waitFor();
    await command("complete");
    await page.getByRole("dialog", { name: /Complete/ }).waitFor();
    await page.keyboard.press("Escape");
    await command("delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();

    await expect.poll(() => heading(page)).toBe("Nothing is running");
  });

  it("M leads to where a message is written, also from a panel in its place", async () => {
    const session = await hall.client.sessions.create({ name: "To the composer" });
    await open(`${hall.url}/sessions/${session.id}`);
    const isWriting = () => page.evaluate<boolean>("document.activeElement.matches('textarea[aria-label=Message]')");

    await page.getByRole("log").focus();
    await page.keyboard.press("m");
    await expect.poll(isWriting).toBe(true);
    await setLook(page, { width: 390 });
    await page.getByRole("group", { name: "Session parts" }).getByRole("button", { name: "Context" }).click();
    await page.keyboard.press("m");
    await expect.poll(isWriting).toBe(true);
    await setLook(page, {});

    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");
  });

  it("O opens and closes the tool row that has focus", async () => {
    const session = await hall.client.sessions.create({ name: "Rows" });
    await hall.client.sessions.send(session.id, "failing tool");
    for await (const { event } of hall.client.sessions.events(session.id)) if (event.event === "done") break;
    await open(`${hall.url}/sessions/${session.id}`);
    const row = page.locator("details").first();

    await row.locator("summary").focus();
    await page.keyboard.press("o");

    expect(await row.getAttribute("open")).not.toBeNull();
    await page.keyboard.press("o");
    expect(await row.getAttribute("open")).toBeNull();
  });
});

/** Types a command into the palette and runs what stands first. */
async function command(words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(`>${words}`);
  await page.keyboard.press("Enter");
}

async function open(url: string): Promise<void> {
  await page.goto(url);
  await isAlive(page);
}

const heading = (page: Page): Promise<string> => page.getByRole("heading", { level: 1 }).innerText();

const focused = (page: Page): Promise<string> => page.evaluate<string>("document.activeElement.tagName");
