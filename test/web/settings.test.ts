import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, openAlive, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { answer, question, withMessages } from "./session-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;

const config = "limits:\n  perDayUsd: 5\n  perSessionUsd: 2\nretention:\n  completedSessionDays: 30\n";

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false, config })]);
  await withMessages(hall, "Something to keep", [question("hello"), answer({ type: "text", text: "Good day." })]);
  page = await browser.blank({ lasts: true });
});

describe("the settings of money", () => {
  it("say what today may cost, and change it for today, for good, and back", async () => {
    await openSettings();
    const spending = page.getByRole("region", { name: "Spending" });
    await spending.getByText("Each day has a limit of $5.00, as limits.perDayUsd in config.yaml says.").waitFor();
    expect(await spending.textContent()).toContain("A session may cost $2.00");

    await spending.getByRole("textbox", { name: "Limit for a day" }).fill("7,50");
    await spending.getByRole("button", { name: "Set for today" }).click();
    await spending.getByText("Today has a limit of $7.50, set here.").waitFor();
    expect((await hall.client.spending.get()).limit).toEqual({ perDayUsd: 7.5, from: "today" });
    await spending.getByRole("textbox", { name: "Limit for a day" }).fill("9");
    await spending.getByRole("button", { name: "Set for good" }).click();
    await expect.poll(async () => (await hall.client.spending.get()).limit.perDayUsd).toBe(9);
    await spending.getByRole("button", { name: "No limit today" }).click();
    await spending.getByText("Today has no limit, set here.").waitFor();
    await spending.getByRole("button", { name: "Back to config.yaml" }).click();

    await spending.getByText("Each day has a limit of $5.00").waitFor();
    expect((await hall.client.spending.get()).limit).toEqual({ perDayUsd: 5, from: "config" });
  });

  it("refuse in words what is no amount, and keep the limit", async () => {
    await openSettings();

    await page.getByRole("textbox", { name: "Limit for a day" }).fill("a lot");
    await page.keyboard.press("Enter");

    await page.getByText("Write an amount in dollars, such as 5 or 2.50.").waitFor();
    expect((await hall.client.spending.get()).limit.perDayUsd).toBe(5);
  });
});

describe("the settings of the disk", () => {
  it("say what sessions, transcripts, jobs and logs take, and how long sessions are kept", async () => {
    await openSettings();
    const disk = page.getByRole("region", { name: "Disk" });

    for (const part of ["Sessions", "Transcripts", "Jobs", "Logs", "In all"])
      expect(await disk.getByRole("row", { name: new RegExp(`^${part}`) }).textContent()).toMatch(/\d+ ?(bytes|kB|MB)/);
    expect(await disk.textContent()).toContain("Completed sessions are deleted with their files after 30 days.");
    expect(await disk.textContent()).toContain("Sessions in which nothing happens are kept until you delete them.");
    expect(await disk.getByRole("region", { name: "Lines for config.yaml" }).textContent()).toContain("completedSessionDays: 30");
  });
});

describe("a message that is refused because money is used up", () => {
  it("is named with its limit, and can be sent after that is raised where it was refused", async () => {
    const { id } = await hall.client.sessions.create({ name: "Dear" });
    const file = join(hall.home, "sessions", id, "session.json");
    const record = (await readFile(file, "utf8"))
      .replace('"costUsd": 0', '"costUsd": 2.5')
      .replace('"limits": {}', '"limits": { "maxCostUsd": 2 }');
    await writeFile(file, record);
    const own = await openAlive(browser, `${hall.url}/sessions/${id}`, { expects: /./ });

    await own.getByRole("textbox", { name: "Message" }).fill("hello");
    await own.keyboard.press("Enter");
    const field = own.getByRole("textbox", { name: "New limit for this session" });
    await field.waitFor();
    expect(await outOfOrder(own, "limit-reached", { looks: lightDarkSmall })).toEqual([]);
    await own.getByText("its limit is").first().waitFor();
    // News of the session have it read again, which does not take the refusal away.
    await hall.client.sessions.change(id, { name: "Dear still" });
    await own.getByRole("heading", { level: 1, name: "Dear still" }).waitFor();
    await field.fill("2");
    await own.getByRole("button", { name: "Raise the limit" }).click();
    await own.getByText("$2.50 is spent already.").waitFor();
    await field.fill("4");
    await own.getByRole("button", { name: "Raise the limit" }).click();
    await own.getByText("Dear still may cost up to $4.00 now.").waitFor();
    await own.getByRole("textbox", { name: "Message" }).press("Enter");

    await own.getByRole("log").getByText("Scripted demo").waitFor();
    expect(await own.getByText("its limit is").count()).toBe(0);
    expect((await hall.client.sessions.get(id)).session.limits).toEqual({ maxCostUsd: 4 });
  });
});

describe("the settings in every look", () => {
  it("have nothing that axe finds wrong, do not scroll sideways and fit a thumb", async () => {
    await openSettings();

    expect(await outOfOrder(page, "settings", { looks: lightDarkSmall })).toEqual([]);
  });
});

/** A page that is there already stays. */
async function openSettings(): Promise<void> {
  if (page.url() !== `${hall.url}/settings`) await goTo(page, `${hall.url}/settings`);
}
