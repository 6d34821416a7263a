import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Block } from "../../src/schema/session.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, isAlive, setLook, shoot, startBrowser } from "./browser.ts";
import { wideElements } from "./findings.ts";
import { outOfOrder } from "./looks.ts";
import { answer, called, inLog, question, withMessages } from "./session-stage.ts";

let hall: Hall;
let page: Page;

beforeAll(async () => {
  const [browser, shared] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  hall = shared;
  page = await browser.open(hall.url, { lasts: true });
});

const columns = (count: number, cell: (column: number) => string): string =>
  `| ${Array.from({ length: count }, (_, column) => cell(column)).join(" | ")} |`;

const tableOf = (count: number): string =>
  [columns(count, (column) => `Feature ${column}`), columns(count, () => "---"), columns(count, () => "unsupported value")].join("\n");

const address = `https://example.org/${"path".repeat(30)}`;
const sentence = "It keeps what was said before, and says what to do next";

describe("a table in an answer", () => {
  it.each<{ count: number; width: 390 | 1440 }>([
    { count: 5, width: 390 },
    { count: 15, width: 1440 },
  ])("of $count columns at $width px keeps its words whole, and is read by scrolling in it", async ({ count, width }) => {
    await setLook(page, { width });
    await withAnswer({ type: "text", text: tableOf(count) });
    const table = page.getByRole("region", { name: "Table" });
    await table.waitFor();

    expect(await brokenWords(page)).toEqual([]);
    expect(
      await inLog<boolean>(page, "const table = log.querySelector('[role=region]'); return table.scrollWidth > table.clientWidth;"),
    ).toBe(true);
    expect(await wideElements(page)).toEqual([]);
    await shoot(page, `table-${count}-${width}`);
  });

  it("breaks an address that is longer than the page, and gives a sentence room", async () => {
    const text = `| Where | What | Who |\n| --- | --- | --- |\n| ${address} | ${sentence} | ${sentence} |`;
    await setLook(page, { width: 390 });
    await withAnswer({ type: "text", text });
    await page.getByRole("region", { name: "Table" }).waitFor();

    const widths = await page.evaluate<number[]>("[...document.querySelectorAll('td')].map((cell) => cell.offsetWidth)");

    expect(Math.max(...widths)).toBeLessThan(330);
    expect(Math.min(...widths.slice(1))).toBeGreaterThan(120);
    expect(await brokenWords(page)).toEqual([address]);
    await shoot(page, "table-address-390");
  });
});

describe("a tool call in an answer", () => {
  it("that failed says why in plain words, in its row, below it, and in a copy", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const content = "<tool_use_error>Error: No such tool available: Bash</tool_use_error>";
    await setLook(page, {});
    await withAnswer(...called("Bash", content, true));

    await page.getByRole("log").locator("summary").click();
    await page.getByRole("button", { name: "Copy result" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();

    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe("Error: No such tool available: Bash");
    expect(await page.getByRole("region", { name: "Result of Bash" }).innerText()).toBe("Error: No such tool available: Bash");
    expect(await page.getByRole("log").innerText()).not.toContain("tool_use_error");
  });

  it("that brought a picture shows it, with what was said beside it", async () => {
    await setLook(page, {});
    await withAnswer(
      ...called("Read", [
        { type: "text", text: "This is the plan." },
        { type: "image", source: { type: "base64", media_type: "image/png", data: onePixel } },
      ]),
    );

    await page.getByRole("log").locator("summary").click();

    await expect.poll(() => page.evaluate<number>("document.querySelector('[role=log] figure img')?.naturalWidth")).toBe(1);
    expect(await page.getByRole("log").innerText()).toContain("This is the plan.");
    expect(await page.getByRole("log").innerText()).not.toContain(onePixel);
    expect(await outOfOrder(page, "tool-row-picture")).toEqual([]);
  });
});

describe("the time of a message", () => {
  it("has its day where that is not today, in the reader's own zone", async () => {
    const id = await withMessages(hall, "Of other days", [
      { ...answer({ type: "text", text: "Said long ago." }), at: "2025-11-10T23:30:00.000Z" },
      question("Said now."),
    ]);
    await setLook(page, { width: 390 });
    const devices = await page.context().newCDPSession(page);
    await devices.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Kolkata" });

    await page.goto(`${hall.url}/sessions/${id}`);
    await isAlive(page);

    await expect.poll(() => timeIn(page, "Said long ago.")).toBe("11 Nov 2025, 05:00");
    expect(await timeIn(page, "Said now.")).toMatch(/^\d\d:\d\d$/);
  });
});

const timeIn = (page: Page, text: string): Promise<string> =>
  page.getByRole("article").filter({ hasText: text }).locator("time:visible").innerText();

/** A session of its own, whose name says that it is the one which is shown. */
async function withAnswer(...blocks: Block[]): Promise<void> {
  const name = `Answered ${(answered += 1)}`;
  await goTo(page, `${hall.url}/sessions/${await withMessages(hall, name, [answer(...blocks)])}`);
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

let answered = 0;

/** Words in a table that are on more than one line. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll("td, th")].flatMap((cell) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      const { data } = texts.currentNode;
      for (const { 0: word, index } of data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(word);
      }
    }
    return found;
  })`);

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
