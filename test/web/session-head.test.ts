import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, startBrowser } from "./browser.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { answer, question, withMessages } from "./session-stage.ts";

let hall: Hall;
let page: Page;

beforeAll(async () => {
  const [browser, shared] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  hall = shared;
  page = await browser.open(hall.url, { lasts: true });
});

describe("the head of a session", () => {
  it("renames it in place: Enter saves, Escape leaves it as it was", async () => {
    const id = await openSession("Old name");

    await page.getByRole("button", { name: "Rename session" }).click();
    await page.keyboard.type("Never mind");
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1, name: "Old name" }).waitFor();
    await page.getByRole("button", { name: "Rename session" }).click();
    await page.keyboard.type("New name");
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { level: 1, name: "New name" }).waitFor();
    await page.getByRole("button", { name: "Rename session" }).waitFor();
    expect((await hall.client.sessions.get(id)).session.name).toBe("New name");
  });

  it("completes it after saying what that means", async () => {
    const id = await openSession("Done soon");

    await choose("Complete session");
    const dialog = page.getByRole("dialog", { name: "Complete this session?" });
    expect(await dialog.innerText()).toContain("takes no more messages");
    await dialog.getByRole("button", { name: "Complete session" }).click();

    await page.getByRole("banner").or(page.getByRole("main")).getByText("Completed", { exact: true }).first().waitFor();
    expect((await hall.client.sessions.get(id)).session.status).toBe("completed");
    await page.getByRole("button", { name: "More for this session" }).click();
    expect(await page.getByRole("button", { name: "Complete session" }).getAttribute("title")).toBe("It is completed already.");
  });

  it("exports all of it, for people and for programs", async () => {
    const id = await withMessages(hall, "To be kept: für später", [question("hello"), answer({ type: "text", text: "Good day." })]);
    await goTo(page, `${hall.url}/sessions/${id}`);
    await page.getByRole("heading", { level: 1, name: "To be kept" }).waitFor();

    const markdown = await exported("Markdown");
    const json = await exported("JSON");

    expect(markdown.name).toBe("To-be-kept-für-später.md");
    expect(markdown.text).toMatch(/^---\nid: "ses_[^]*# To be kept: für später\n\n## You · .*\n\nhello\n\n## Agent/);
    expect(json.name).toBe("To-be-kept-für-später.json");
    expect(JSON.parse(json.text)).toMatchObject({ session: { id }, messages: [{ role: "user" }, { role: "assistant" }] });
  });

  it("leads back to the Board", async () => {
    await openSession("Left");

    await page.getByRole("link", { name: "Back to the Board" }).click();

    await expect.poll(() => page.url()).toBe(`${hall.url}/`);
  });

  it("is in order for axe and for thumbs, with its menu open, in every look", async () => {
    await openSession(`A session with a name that is far too long for a small screen, and goes on ${"and on ".repeat(10)}`);

    await page.getByRole("button", { name: "More for this session" }).click();

    expect(await outOfOrder(page, "session-head", { looks: lightDarkSmall })).toEqual([]);
  });
});

async function choose(item: string): Promise<void> {
  await page.getByRole("button", { name: "More for this session" }).click();
  await page.getByRole("button", { name: item }).click();
}

async function exported(format: string): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent("download");
  await choose(`Export as ${format}`);
  const file = await coming;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

async function openSession(name: string): Promise<SessionId> {
  const { id } = await hall.client.sessions.create({ name: name.slice(0, 200) });
  await goTo(page, `${hall.url}/sessions/${id}`);
  await page.getByRole("heading", { level: 1, name: name.slice(0, 200) }).waitFor();
  return id;
}
