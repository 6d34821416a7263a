import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { launcher } from "../cli/run-cli.ts";
import { putMember } from "../server/members-by-hand.ts";
import { startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { oddMember } from "./odd-member.fixture.ts";
import { areConnected } from "./roster-stage.ts";
import { fillJson, openTool, result, run } from "./tool-form-stage.ts";

let browser: TestBrowser;
let hall: Hall;
/** It goes from tool to tool. */
let page: Page;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: "example", waiting: false })]);
  await putMember(hall.home, "played", playedBy("stdio", "well"));
  await putMember(hall.home, "odd", oddMember());
  await areConnected(hall, "example", "played", "odd");
  page = await browser.blank({ lasts: true });
});

describe("each kind of result", () => {
  it("has its own view: a table", async () => {
    await openTool(page, hall, "example/count_words");

    await page.getByRole("textbox", { name: "Text" }).fill("to be or not to be");
    await run(page);

    await result(page).getByRole("columnheader", { name: "word" }).waitFor();
    expect(await result(page).getByRole("row").nth(1).innerText()).toMatch(/be\s+2\s+0\.3333/);
    await result(page).getByRole("button", { name: "Raw" }).click();
    expect(await result(page).getByRole("region", { name: "The answer as it came" }).innerText()).toContain('"structuredContent"');
  });

  it("has its own view: a picture, png and svg", async () => {
    await openTool(page, hall, "example/draw_chart");

    for (const format of ["png", "svg"]) {
      await fillJson(page, { values: [3, 1, 4], format });
      await run(page);

      const drawn = `main figure img[src^='data:image/${format}']`;
      await expect.poll(() => page.evaluate<number>(`document.querySelector("${drawn}")?.naturalWidth`)).toBe(320);
    }
  });

  it("has its own view: a sound", async () => {
    await openTool(page, hall, "example/play_melody");

    await run(page);

    await expect.poll(() => page.evaluate<number>("document.querySelector('main audio')?.duration ?? 0")).toBeGreaterThan(1);
  });

  it("has its own view: links that are not followed", async () => {
    await openTool(page, hall, "example/list_files");

    await run(page);

    expect(await result(page).innerText()).toContain("example://files/README.md");
    expect(await result(page).getByRole("link").count()).toBe(0);
  });

  it("has its own view: a file of text, and its name when it is downloaded", async () => {
    await openTool(page, hall, "example/write_outline");

    await page.getByRole("textbox", { name: "Title" }).fill("All of it");
    await run(page);
    await result(page).getByRole("region", { name: "Text of outline.md" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      result(page).getByRole("button", { name: "Download" }).first().click(),
    ]);

    expect(download.suggestedFilename()).toBe("outline.md");
  });

  it("has its own view: a file of bytes", async () => {
    await openTool(page, hall, "example/compress_text");

    await page.getByRole("textbox", { name: "Text" }).fill("hello");
    await run(page);

    expect(await result(page).innerText()).toMatch(/File, application\/gzip, \d+ bytes/);
  });

  it("has its own view: a failure, in order in every look beside the input as JSON", async () => {
    await openTool(page, hall, "example/divide");

    await fillJson(page, { dividend: 1, divisor: 0 });
    await run(page);

    await result(page).getByText("1 cannot be divided by zero.").waitFor();
    expect(await result(page).getByText("Failed").isVisible()).toBe(true);
    expect(await outOfOrder(page, "tool-failed", { looks: lightDarkSmall })).toEqual([]);
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

describe("a call that runs", () => {
  it("is one however fast it is pressed again, is stopped with Escape, and the tool hears of it", async () => {
    await openTool(page, hall, "example/count_down");

    await page.getByRole("textbox", { name: "Seconds" }).fill("300");
    const invoked: string[] = [];
    page.on("request", (request) => request.url().endsWith("/api/tools/invoke") && invoked.push(request.url()));
    await page.evaluate(pressTwice);
    await page.getByRole("button", { name: "Stop" }).waitFor();
    expect(await outOfOrder(page, "tool-running")).toEqual([]);
    await page.keyboard.press("Escape");

    await result(page).getByText("You stopped it after").waitFor();
    await expect
      .poll(async () => (await hall.client.tools.calls({ member: "example", tool: "count_down" })).calls[0]?.outcome?.isError)
      .toBe(true);
    expect(invoked).toHaveLength(1);
    await page.getByRole("button", { name: "Run tool" }).waitFor();
  });

  it("and dies with its member, or loses the hall, says what is known and what to do", async () => {
    const own = await browser.blank({ expects: /50\d|ERR_CONNECTION_RESET/ });

    await openTool(own, hall, "played/die");
    await own.keyboard.press("Control+Enter");
    await result(own).getByText("What the tool had done by then is done.").waitFor();
    expect(await result(own).getByRole("button", { name: "Restart" }).isVisible()).toBe(true);
    expect(await outOfOrder(own, "tool-died")).toEqual([]);
    await openTool(own, hall, "example/tell_time");
    await own.route("**/api/tools/invoke", (route) => route.abort("connectionreset"));
    await own.keyboard.press("Control+Enter");
    await result(own).getByText("No answer").waitFor();

    expect(await result(own).innerText()).toContain("Whether the tool ran is not known.");
  });
});

/** The second press comes before the page could draw anything after the first. */
const pressTwice = `for (const _ of [1, 2])
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }));`;

describe("earlier runs", () => {
  it("are run again, and loaded into the form", async () => {
    const input = { measurement: { kind: "mass", value: 1, from: "kg", to: "lb" } };
    await hall.client.tools.invoke({ member: MemberName.parse("example"), tool: "convert_units", input });
    await openTool(page, hall, "example/convert_units");
    const history = page.getByRole("region", { name: "Earlier runs" });

    await history.locator("summary").first().click();
    await history.getByRole("button", { name: "Run again" }).click();
    await result(page).getByText("1 kg = 2.2 lb").waitFor();
    await expect.poll(() => history.locator("summary").count()).toBe(2);
    await history.locator("details[open]").getByRole("button", { name: "Load into the form" }).click();

    expect(await page.getByRole("combobox", { name: "From" }).inputValue()).toBe("0");
    expect(await page.getByRole("button", { name: "Mass" }).getAttribute("aria-pressed")).toBe("true");
    expect(await page.getByRole("textbox", { name: "Value" }).inputValue()).toBe("1");
  });
});

describe("what the hall keeps", () => {
  it("is read again when the hall is back", async () => {
    const own = await browser.blank();
    const isBack = Promise.withResolvers<void>();
    await own.route("**/api/events", async (route) => {
      await isBack.promise;
      await route.continue();
    });
    await own.route("**/api/tools/calls?**", (route) => route.abort("aborted"));
    await own.goto(`${hall.url}/roster/example/convert_units`);
    const history = own.getByRole("region", { name: "Earlier runs" });
    await history.getByText("could not be asked").waitFor();

    await own.unroute("**/api/tools/calls?**");
    isBack.resolve();

    await history.locator("summary").first().waitFor();
    expect(await history.getByText("could not be asked").count()).toBe(0);
  });
});

describe("saved calls", () => {
  it("are kept under a name, run, deleted, and brought back", async () => {
    await openTool(page, hall, "example/divide");
    await page.getByRole("textbox", { name: "Dividend" }).fill("9");
    await page.getByRole("textbox", { name: "Divisor" }).fill("3");

    await page.getByRole("textbox", { name: "Save the input" }).fill("Nine by three");
    await page.keyboard.press("Enter");
    await page.getByRole("listitem").filter({ hasText: "Nine by three" }).waitFor();
    await openTool(page, hall, "example/tell_time");
    await openTool(page, hall, "example/divide");
    await page.getByRole("button", { name: "Run Nine by three" }).click();
    await result(page).getByText("3", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete Nine by three" }).click();
    await page.getByText("Nine by three is deleted.").waitFor();
    expect((await hall.client.tools.calls({ saved: "true" })).calls).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();

    await page.getByRole("button", { name: "Run Nine by three" }).waitFor();
    const { calls } = await hall.client.tools.calls({ saved: "true" });
    expect(calls).toMatchObject([{ name: "Nine by three", input: { dividend: 9, divisor: 3, whole: false } }]);
  });
});

describe("a call as a command", () => {
  it("does in a shell what it does here (REQ-GH1-29)", async () => {
    const words = `it's "quoted" $HOME \`date\` \\ ! @x`;
    await openTool(page, hall, "example/count_words");
    await page.getByRole("textbox", { name: "Text" }).fill(words);

    await page.getByText("As a command for a terminal").click();
    const curl = await page.getByRole("region", { name: "The call for curl" }).innerText();
    const command = await page.getByRole("region", { name: "The call for guild-hall" }).innerText();
    const fromCurl = await inShell(curl);
    const fromCommand = await inShell(command.replace(/^guild-hall/, `'${process.execPath}' '${launcher}' --json`));

    expect(JSON.parse(fromCurl)).toMatchObject({ isError: false, structuredContent: { characters: words.length } });
    expect(JSON.parse(fromCommand)).toMatchObject({ isError: false, structuredContent: { characters: words.length } });
    expect(curl).toContain(hall.url);
    expect(await page.getByText('-H "authorization: Bearer $GUILD_HALL_TOKEN"').isVisible()).toBe(true);
  });
});

const inShell = async (command: string): Promise<string> =>
  (await promisify(execFile)("sh", ["-c", command], { env: { ...process.env, GUILD_HALL_HOME: hall.home } })).stdout;

describe("in every look", () => {
  it("a form with an item and its faults has nothing that axe finds wrong and does not scroll sideways", async () => {
    await openTool(page, hall, "example/plan_trip");

    await page.getByRole("button", { name: "Add item" }).click();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Fix 6 fields to run" }).waitFor();

    expect(await outOfOrder(page, "tool-form-faults", { looks: lightDarkSmall })).toEqual([]);
  });

  it("a form with its result, its command and what is saved has nothing that axe finds wrong and does not scroll sideways", async () => {
    await openTool(page, hall, "example/count_words");

    await page.getByRole("textbox", { name: "Text" }).fill("The hall keeps what the guild needs, and the guild keeps the hall.");
    await page.getByRole("textbox", { name: "Save the input" }).fill("Of the hall");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Run Of the hall" }).waitFor();
    await run(page);
    await page.getByText("As a command for a terminal").click();

    expect(await outOfOrder(page, "tool-form", { looks: lightDarkSmall })).toEqual([]);
  });
});
