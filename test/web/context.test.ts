import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, isAlive, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;

const begin = "# Plan\n\n## Goal\n\nShip it.\n\n## Decisions\n\nNone yet.\n\n## Resources\n\nThe wiki.\n";
const patience = { timeout: 20_000 };
/** What the hall answers when somebody was faster is part of the game. */
const overtaken = /412/;

beforeAll(async () => {
  const decides = { tools: [{ name: "mcp__guild_hall__update_context", input: { section: "decisions", content: "- use SQLite" } }] };
  const model = await startScriptedModel({
    script: { name: "decides", turns: [{ when: { step: 1 }, reply: decides }, { reply: { text: "Decided." } }] },
  });
  [browser, hall] = await Promise.all([
    startBrowser(),
    startSharedHall({ bundled: false, waiting: false, env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "sk-ant-test" } }),
  ]);
  page = await browser.blank({ lasts: true, expects: overtaken });
  return () => model.close();
});

describe("the context file in a Workshop", () => {
  it("is saved a moment after somebody wrote in it, and is there after a reload (REQ-GH1-30)", async () => {
    const { id } = await openSession(page);

    await write(page, "Ship it.", "Ship it on Friday.");
    await isSaved(page);
    await page.reload();

    await expect.poll(() => field(page).inputValue(), patience).toContain("Ship it on Friday.");
    expect(await onDisk(id)).toBe(begin.replace("Ship it.", "Ship it on Friday."));
  });

  it("takes in what two tabs wrote in different places", async () => {
    const { id, url } = await openSession(page);
    const other = await browser.blank({ expects: overtaken });
    await goTo(other, url);
    await expect.poll(() => field(other).inputValue(), patience).toBe(begin);

    await write(page, "Ship it.", "Ship it soon.");
    await write(other, "The wiki.", "The wiki and the forum.");
    await Promise.all([isSaved(page), isSaved(other)]);

    const both = begin.replace("Ship it.", "Ship it soon.").replace("The wiki.", "The wiki and the forum.");
    await expect.poll(() => onDisk(id), patience).toBe(both);
    await expect.poll(() => field(page).inputValue(), patience).toBe(both);
    await expect.poll(() => field(other).inputValue(), patience).toBe(both);
  });

  it("asks a person where two changed the same lines, and loses neither, also over a reload (REQ-GH1-34)", async () => {
    const own = await browser.blank({ expects: /412|beforeunload|503|Failed to load/ });
    const { id } = await openSession(own);
    const { etag } = await hall.client.sessions.context.read(id);
    await write(own, "Ship it.", "Mine: ship it.");
    await hall.client.sessions.context.write(id, begin.replace("Ship it.", "Theirs: ship it."), etag);

    await own.getByText("Changed on disk.").waitFor();
    own.on("dialog", (asked) => void asked.accept());
    await own.reload();
    await own.getByText("Changed on disk.").waitFor();
    expect(await field(own).inputValue()).toContain("Mine: ship it.");
    expect(await onDisk(id)).toContain("Theirs: ship it.");
    await isAlive(own);
    await own.getByRole("button", { name: "Compare" }).click();
    const dialog = own.getByRole("dialog", { name: "Changed here and on disk" });
    expect(await dialog.getByRole("region", { name: "Yours, place 1" }).innerText()).toContain("Mine: ship it.");
    expect(await dialog.getByRole("region", { name: "On disk, place 1" }).innerText()).toContain("Theirs: ship it.");
    expect(await outOfOrder(own, "context-conflict", { looks: lightDarkSmall })).toEqual([]);
    await dialog.getByRole("button", { name: "Keep both" }).click();
    await dialog.getByRole("button", { name: "Save this" }).click();
    await isSaved(own);

    await expect.poll(() => onDisk(id), patience).toBe(begin.replace("Ship it.", "Mine: ship it.\nTheirs: ship it."));
  });

  it("puts together what the agent writes and what the person types meanwhile (REQ-GH1-30, REQ-GH1-34)", async () => {
    const { id } = await openSession(page);
    await page.getByRole("textbox", { name: "Message" }).fill("Decide.");
    await page.keyboard.press("Enter");

    await select(page, "Ship it.");
    for (const word of "Ship it while the agent decides, word by word.".split(/(?<= )/)) await page.keyboard.type(word, { delay: 20 });
    await page.getByRole("log").getByText("Decided.").waitFor();
    await isSaved(page);

    await expect.poll(() => onDisk(id), patience).toContain("- use SQLite");
    const text = await onDisk(id);
    expect(text).toContain("Ship it while the agent decides, word by word.\n\n## Decisions\n\n- use SQLite\n");
    await expect.poll(() => field(page).inputValue(), patience).toBe(text);
  });

  it("shows what was written with an editor when the person comes back, and keeps the line ends of the file", async () => {
    const { id } = await openSession(page);
    await writeFile(fileOf(id), begin.replace("The wiki.", "The handbook.").replaceAll("\n", "\r\n"));

    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await expect.poll(() => field(page).inputValue(), patience).toContain("The handbook.");
    await write(page, "Ship it.", "Ship it by hand.");
    await isSaved(page);

    const expected = begin.replace("The wiki.", "The handbook.").replace("Ship it.", "Ship it by hand.");
    expect(await onDisk(id)).toBe(expected.replaceAll("\n", "\r\n"));
  });

  it("has a preview in which nothing acts", async () => {
    const context = `# Heading\n\n<img src=x onerror="window.taken=1">\n\n[a link](javascript:window.taken=2)\n\n- [ ] to do`;
    await openSession(page, context);

    await page.getByRole("region", { name: "Context" }).getByRole("button", { name: "Preview" }).click();
    await page.getByRole("region", { name: "Context" }).getByRole("heading", { name: "Heading" }).waitFor();

    expect(await page.evaluate("window.taken")).toBeUndefined();
    expect(await page.locator("aside img, aside a[href^=javascript]").count()).toBe(0);
    expect(await outOfOrder(page, "context-preview")).toEqual([]);
  });
});

async function openSession(page: Page, context = begin): Promise<{ id: SessionId; url: string }> {
  const { id } = await hall.client.sessions.create({ name: "Shared context", context });
  const url = `${hall.url}/sessions/${id}`;
  await goTo(page, url);
  await expect.poll(() => field(page).inputValue(), patience).toBe(context);
  return { id, url };
}

const field = (page: Page): Locator => page.getByRole("textbox", { name: "context.md" });

/** Puts the selection on words in the file. */
const select = async (page: Page, words: string): Promise<void> => {
  await field(page).focus();
  await page.evaluate(`((area, words) => {
    const at = area.value.indexOf(words);
    if (at === -1) throw new Error(words + " is not in the file: " + area.value);
    area.setSelectionRange(at, at + words.length);
  })(document.activeElement, ${JSON.stringify(words)})`);
};

async function write(page: Page, words: string, others: string): Promise<void> {
  await select(page, words);
  await page.keyboard.insertText(others);
}

const isSaved = (page: Page): Promise<void> => page.getByText(/^Saved \d\d:\d\d\./).waitFor();

const fileOf = (id: SessionId): string => join(hall.home, "sessions", id, "context.md");

const onDisk = (id: SessionId): Promise<string> => readFile(fileOf(id), "utf8");
