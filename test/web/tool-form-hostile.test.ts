import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { oddMember } from "./odd-member.fixture.ts";
import { areConnected } from "./roster-stage.ts";
import { openTool, result, run } from "./tool-form-stage.ts";

let browser: TestBrowser;
let hall: Hall;
/** It goes from tool to tool. */
let page: Page;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  await putMember(hall.home, "odd", oddMember());
  await areConnected(hall, "odd");
  page = await browser.blank({ lasts: true });
});

describe("a schema that asks too much", () => {
  it("with ten thousand fields is drawn in part, and sends what is filled in (SEC-15)", async () => {
    await openTool(page, hall, "odd/ten_thousand");

    await page.getByRole("textbox", { name: "field3 string", exact: true }).fill("three");
    expect(await page.getByRole("textbox", { name: /^field/ }).count()).toBe(40);
    await page.getByRole("button", { name: "Show more of 10000 fields" }).click();
    await page.getByRole("textbox", { name: "field79 string", exact: true }).fill("more");
    await run(page);

    await result(page).getByText('"field79": "more"').waitFor();
  });

  it.each(["slow_pattern", "doubling"])("and would check for ever (%s) does not hold up the page or the call (SEC-15)", async (tool) => {
    await openTool(page, hall, `odd/${tool}`);
    const word = page.getByRole("textbox", { name: /^word/ });

    await word.fill(`${"a".repeat(40)}!`);
    await word.blur();
    await run(page);

    expect(await result(page).innerText()).toContain('"word": "aaaa');
  });

  it("without an end is drawn a step at a time", async () => {
    await openTool(page, hall, "odd/endless");

    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: /^Fix \d fields? to run/ }).waitFor();

    expect(await page.getByRole("group", { name: /^next/ }).count()).toBeLessThan(12);
  });
});

describe("text of a member", () => {
  it("stays text, in the form and in the answer, runs nothing and fetches nothing, and is drawn only where it can do nothing, an SVG too (SEC-6)", async () => {
    const foreign: string[] = [];
    const listen = (request: Request) =>
      /^(?:data|blob):/.test(request.url()) || request.url().startsWith(hall.url) || foreign.push(request.url());
    page.on("request", listen);
    await openTool(page, hall, "odd/markup");

    await run(page);
    await result(page).getByText("A page").waitFor();
    const picture = result(page).getByRole("img");
    await picture.waitFor();
    expect(await picture.getAttribute("src")).toMatch(/^data:image\/svg\+xml;base64,/);
    await expect.poll(() => page.evaluate<number>("document.querySelector('main figure img')?.naturalWidth")).toBe(40);
    for (const view of ["Markdown", "Raw", "Content"]) await result(page).getByRole("button", { name: view }).click();

    expect(await page.evaluate("window.taken")).toBeUndefined();
    expect(await result(page).locator("script, iframe, object, embed").count()).toBe(0);
    page.off("request", listen);
    expect(foreign).toEqual([]);
    const links = await result(page).getByRole("link").all();
    expect(await Promise.all(links.map((link) => link.getAttribute("href")))).toEqual(["https://example.org/page"]);
    expect(await result(page).locator("img").count()).toBe(1);
    expect(await result(page).innerText()).toContain("javascript:window.taken=6");
  });
});

describe("an answer", () => {
  it("of many rows shows the first 200 and offers all of them (SEC-15)", async () => {
    await openTool(page, hall, "odd/rows");

    await run(page);
    await result(page).getByText("These are the first 200 of 1234 rows.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      result(page).getByRole("button", { name: "Download all rows" }).click(),
    ]);

    expect(await result(page).getByRole("row").count()).toBe(201);
    expect(download.suggestedFilename()).toBe("odd-rows-rows.json");
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer); // a stream of bytes
    expect(JSON.parse(Buffer.concat(chunks).toString())).toHaveLength(1234);
  });

  it("that is too long shows its beginning and offers all of it (SEC-15)", async () => {
    await openTool(page, hall, "odd/long");

    await run(page);

    expect(await result(page).innerText()).toContain("This is the first 100 kB of 390 kB.");
    expect(await result(page).getByRole("button", { name: "Download all of it" }).isVisible()).toBe(true);
  });

  it("of failure has its message first and the rest folded", async () => {
    await openTool(page, hall, "odd/fail");

    await run(page);
    await result(page).getByText('relation "invoices" does not exist', { exact: true }).waitFor();

    expect(await result(page).getByText("at query (db.ts:1:1)").isVisible()).toBe(false);
    await result(page).getByText("All it said").click();
    expect(await result(page).getByText("at query (db.ts:1:1)").isVisible()).toBe(true);
  });

  it("of nothing says so", async () => {
    await openTool(page, hall, "odd/nothing");

    await run(page);

    expect(await result(page).innerText()).toContain("The tool answered with nothing");
  });
});

describe("before it runs", () => {
  it("a tool that may destroy says so", async () => {
    await openTool(page, hall, "odd/rows");

    expect(await page.getByText("can delete or overwrite things").isVisible()).toBe(true);
  });
});
