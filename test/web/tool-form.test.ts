import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { writeInto } from "./by-keyboard.ts";
import { oddMember } from "./odd-member.fixture.ts";
import { areConnected } from "./roster-stage.ts";
import { fillJson, openTool, result, run } from "./tool-form-stage.ts";

let browser: TestBrowser;
let hall: Hall;
/** It goes from tool to tool. */
let page: Page;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: "example", waiting: false })]);
  await putMember(hall.home, "odd", oddMember());
  await areConnected(hall, "example", "odd");
  page = await browser.blank({ lasts: true });
});

describe("a tool's form", () => {
  it("is filled in and run with the keyboard alone (REQ-GH1-8) (REQ-GH1-29)", async () => {
    await openTool(page, hall, "example/divide");

    await writeInto(page.getByRole("textbox", { name: "Dividend" }), "22");
    await writeInto(page.getByRole("textbox", { name: "Divisor" }), "8");
    await page.keyboard.press("Control+Enter");

    await result(page).getByText("2.75").waitFor();
    expect(await result(page).innerText()).toMatch(/OK\s*\d+ bytes, \d+ ms/);
  });

  it("says at the field what is wrong, how many there are, and goes to the first", async () => {
    await openTool(page, hall, "example/plan_trip");

    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Fix 6 fields to run" }).waitFor();

    const title = page.getByRole("textbox", { name: "Title string required" });
    await expect.poll(() => hasFocus(page, title)).toBe(true);
    expect(await title.getAttribute("aria-invalid")).toBe("true");
    expect(await describedBy(page, "Title string required")).toContain("This is needed.");
    await title.fill("Along the coast");
    await page.getByRole("button", { name: "Fix 5 fields to run" }).waitFor();
    expect(await title.getAttribute("aria-invalid")).toBeNull();
  });

  it("says what a value must be once somebody has left the field", async () => {
    await openTool(page, hall, "example/plan_trip");
    const nights = page.getByRole("textbox", { name: "Nights" });

    await nights.fill("91");
    await nights.blur();

    await page.getByRole("button", { name: "Fix 1 field to run" }).waitFor();
    expect(await describedBy(page, "Nights 1 to 90")).toContain("At most 90.");
  });

  it("has a field for every kind of thing, and sends exactly what was filled in", async () => {
    await openTool(page, hall, "example/plan_trip");
    const field = (name: string | RegExp) => page.getByRole("textbox", { name });

    await field("Title").fill("Coast");
    await page.getByLabel("First day").fill("2026-12-01");
    await page.getByRole("button", { name: "Give a value" }).first().click();
    await page.getByLabel("Departure").fill("2026-12-01T08:30");
    await page.getByRole("combobox", { name: "Pace" }).selectOption("fast");
    await field(/^Name string required/).fill("Ada");
    await page.getByRole("button", { name: "By phone" }).click();
    await field("Number string required").fill("+44 1234");
    await page.getByRole("button", { name: "Add item" }).click();
    await page.getByRole("group", { name: "Traveller 1" }).getByRole("textbox", { name: "Name" }).fill("Grace");
    await field("Stops").fill("Brest");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Lorient");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Name of a new entry" }).fill("socks");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: /^socks/ }).fill("4");
    await run(page);

    const { calls } = await hall.client.tools.calls({ member: "example", tool: "plan_trip" });
    expect(calls[0]?.input).toEqual({
      calendar: "gregorian",
      nights: 3,
      departure: "2026-12-01T08:30:00Z",
      pace: "fast",
      organiser: { contact: { phone: "+44 1234" }, name: "Ada" },
      travellers: [{ vegetarian: false, name: "Grace" }],
      stops: ["Brest", "Lorient"],
      budget: null,
      packing: { socks: 4 },
      title: "Coast",
      start: "2026-12-01",
    });
    expect(calls[0]?.outcome).toMatchObject({ isError: false });
  });

  it("tells what is wrong with a field that is left only after the press that left it has done its work", async () => {
    await openTool(page, hall, "example/plan_trip");
    const title = page.getByRole("textbox", { name: "Title" });

    await title.focus();
    await page.getByRole("button", { name: "By phone" }).hover();
    await page.mouse.down();
    expect(await page.getByText("This is needed.").count()).toBe(0);
    await page.mouse.up();

    await page.getByText("This is needed.").waitFor();
    expect(await page.getByRole("button", { name: "By phone" }).getAttribute("aria-pressed")).toBe("true");
  });

  it("tells what is left out from what is empty and from null", async () => {
    await openTool(page, hall, "example/roll_dice");
    const inputs = async () => (await hall.client.tools.calls({ member: "example", tool: "roll_dice" })).calls.map(({ input }) => input);
    const runs = async (times: number) => {
      await run(page);
      await expect.poll(async () => (await inputs()).length).toBe(times);
      await page.getByRole("button", { name: "Run tool" }).waitFor();
    };

    await page.getByRole("button", { name: "Give a value" }).click();
    await page.getByRole("textbox", { name: "Seed" }).fill("7");
    await runs(1);
    await page.getByRole("textbox", { name: "Seed" }).fill("");
    await runs(2);
    await page.getByRole("button", { name: "Set to null" }).click();
    await runs(3);

    expect(await inputs()).toEqual([{ dice: "2d6", seed: null }, { dice: "2d6" }, { dice: "2d6", seed: 7 }]);
  });

  it("draws a schema within itself as deep as somebody goes, and moves and removes what is in lists", async () => {
    await openTool(page, hall, "example/write_outline");
    const add = page.getByRole("button", { name: "Add item" });

    await page.getByRole("textbox", { name: "Title" }).fill("All");
    await add.click();
    await page.getByRole("textbox", { name: "Heading" }).fill("One");
    await add.first().click();
    await page.getByRole("textbox", { name: "Heading" }).nth(1).fill("Within");
    await add.last().click();
    await page.getByRole("textbox", { name: "Heading" }).nth(2).fill("Two");
    await page.getByRole("button", { name: "Move item 2 up" }).click();
    await run(page);

    await result(page).getByText("# 1 Two").waitFor();
    expect(await result(page).innerText()).toMatch(/## 1 Two\s+## 2 One\s+### 2\.1 Within/);
  });
});

describe("form and JSON", () => {
  it("keep what was filled in, both ways", async () => {
    await openTool(page, hall, "example/divide");

    await page.getByRole("textbox", { name: "Dividend" }).fill("10");
    await page.getByRole("button", { name: "JSON" }).click();
    expect(JSON.parse(await editor(page).inputValue())).toEqual({ whole: false, dividend: 10 });
    await editor(page).fill('{ "whole": true, "dividend": 10, "divisor": 4 }');
    await page.getByRole("button", { name: "Form", exact: true }).click();

    expect(await page.getByRole("textbox", { name: "Divisor" }).inputValue()).toBe("4");
    expect(await page.getByRole("checkbox", { name: "Whole numbers" }).isChecked()).toBe(true);
    await run(page);
    await result(page).getByText("2, remainder 2").waitFor();
  });

  it("leave JSON that has no place in the form in the editor, with the reason", async () => {
    await openTool(page, hall, "example/divide");

    await fillJson(page, { dividend: [1], divisor: 2 });
    await page.getByRole("button", { name: "Form", exact: true }).click();

    await page.getByText('"dividend" is a list, and the form has a number there.').waitFor();
    expect(JSON.parse(await editor(page).inputValue())).toEqual({ dividend: [1], divisor: 2 });
  });

  it("say in words, with line and column, where a text is no JSON, and lead there", async () => {
    await openTool(page, hall, "example/divide");
    await page.getByRole("button", { name: "JSON" }).click();

    await editor(page).fill('{\n  "dividend": 1\n  "divisor": 2\n}');
    await page.getByText("Line 3, column 3: a comma is missing.").waitFor();
    await page.getByRole("button", { name: "Go there" }).click();

    expect(await selected(page)).toBe('"');
    await expect.poll(() => hasFocus(page, editor(page))).toBe(true);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Fix 1 field to run" }).waitFor();
  });

  it("list what does not fit, each leading to its place", async () => {
    await openTool(page, hall, "example/divide");

    await fillJson(page, { dividend: "x", divisor: 2 });
    await page.getByRole("list", { name: "To fix" }).getByRole("button", { name: "dividend This must be a number." }).click();

    expect(await selected(page)).toBe('"x"');
  });

  it("let the keyboard indent, and out again", async () => {
    await openTool(page, hall, "example/tell_time");
    await page.getByRole("button", { name: "JSON" }).click();
    await editor(page).focus();

    await page.keyboard.press("Tab");
    expect(await editor(page).inputValue()).toContain("  ");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");

    expect(await hasFocus(page, editor(page))).toBe(false);
  });
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

describe("before it runs", () => {
  it("a tool that may destroy says so", async () => {
    await openTool(page, hall, "odd/rows");

    expect(await page.getByText("can delete or overwrite things").isVisible()).toBe(true);
  });
});

const editor = (page: Page) => page.getByRole("textbox", { name: "Input as JSON" });

const hasFocus = async (page: Page, field: Locator): Promise<boolean> => (await field.and(page.locator(":focus")).count()) === 1;

/** What is marked in the editor. */
const selected = (page: Page): Promise<string> =>
  page.evaluate<string>("(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)");

const describedBy = async (page: Page, name: string): Promise<string> => {
  const ids = (await page.getByLabel(name).first().getAttribute("aria-describedby")) ?? "";
  return page.evaluate<string>(`${JSON.stringify(ids)}.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ")`);
};
