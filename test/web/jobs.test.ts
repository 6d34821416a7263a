import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedWorker } from "../../src/adapters/members/played-worker.testing.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { patience, putMember } from "../server/members-by-hand.ts";
import { goTo, isAlive, setVisibility, startBrowser } from "./browser.ts";
import type { TestBrowser, TestWindow } from "./browser.ts";
import { pressOn, tabTo, writeInto } from "./by-keyboard.ts";
import { wideElements } from "./findings.ts";
import { holdOnce } from "./held-answers.ts";
import { goOn, jobRow, openJobs, playJob, standsUnder, statusOfJob, under } from "./jobs-stage.ts";
import { everyLook, lightDarkSmall, outOfOrder } from "./looks.ts";
import { areConnected, isInTrouble } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let window: TestWindow;
let page: Page;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  await putMember(hall.home, "played", { ...playedWorker({ tools: true }), displayName: "Played" });
  await putMember(hall.home, "archive", archiveOf(12));
  await putMember(hall.home, "away", { ...playedWorker(), displayName: "Away", mcp: { command: "no-such-program", args: [], env: {} } });
  await areConnected(hall, "played", "archive");
  await playJob(hall, "Move the driver to 8.13", "progress Tests ran twice", "fail No connection over TLS.");
  window = await browser.window({ lasts: true });
  page = await window.tab(hall.url);
});

describe("the list of jobs", () => {
  it("has those of all workers, grouped by how they stand, and hears what becomes of them (REQ-WD-19)", async () => {
    const asks = await playJob(hall, "Replace the cursor table", ...longTask, "ask And its index?", "wait");
    const runs = await playJob(hall, "Property tests for the queue", "use Read", "progress Shrinking a failing case", "wait");
    await openJobs(page, hall, "");

    await standsUnder(page, "Waiting for you", "Replace the cursor table");
    await standsUnder(page, "Running", "Property tests for the queue");
    await expect.poll(async () => (await under(page, "Ended")).slice(0, 2)).toEqual(["Move the driver to 8.13", "Job 12"]);
    await expect.poll(() => jobRow(page, "Replace the cursor").innerText()).toMatch(/Asks you 2 questions[^]*Played/);
    await expect
      .poll(() => jobRow(page, "Property tests").innerText())
      .toMatch(/Shrinking a failing case[^]*1 of 150 turns[^]*\$0.01 of \$2.50/);
    await expect.poll(() => jobRow(page, "Move the driver").innerText()).toMatch(/Failed\s+Tests ran twice/);
    // What needs the reader are questions, however many jobs ask them.
    await expect.poll(() => page.title()).toBe("2 for you: Jobs · Guild Hall");
    await page.getByText("Two jobs are running. Two questions wait for you.").waitFor();
    await page.getByRole("button", { name: "Needs you 2 questions that wait for you" }).waitFor();
    await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Jobs 2 waiting for you" }).waitFor();

    const late = await playJob(hall, "Begun elsewhere", "wait");
    await standsUnder(page, "Running", "Begun elsewhere", "Property tests for the queue");
    await goOn(hall, late);
    await standsUnder(page, "Running", "Property tests for the queue");
    await expect.poll(() => jobRow(page, "Begun elsewhere").innerText()).toMatch(/Completed/);
    await hall.client.jobs.cancel("played", await playJob(hall, "Given up", "wait"));
    await expect.poll(() => jobRow(page, "Given up").innerText()).toMatch(/Cancelled/);
    await openJobs(page, hall, "?worker=played");
    await standsUnder(page, "Ended", "Given up", "Begun elsewhere", "Move the driver to 8.13");
    expect(await outOfOrder(page, "jobs", { looks: everyLook })).toEqual([]);
    await Promise.all([asks, runs].map((jobId) => hall.client.jobs.cancel("played", jobId)));
  });

  it("is narrowed by status, worker and description, which its address keeps", async () => {
    await openJobs(page, hall, "");
    const status = page.getByRole("group", { name: "Status" });

    await status.getByRole("button", { name: /^Failed 1/ }).click();
    await standsUnder(page, "Failed", "Move the driver to 8.13");
    await page.getByRole("combobox", { name: "Worker" }).selectOption("Archive");
    await page.getByText("No job is like that").waitFor();
    await status.getByRole("button", { name: /^Completed/ }).click();
    await page.keyboard.press("/");
    await page.keyboard.insertText("Job 1*");
    await standsUnder(page, "Completed", ...[12, 11, 10, 1].map((count) => `Job ${count}`));
    expect(page.url()).toBe(`${hall.url}/jobs?show=completed&worker=archive&q=Job+1*`);
    await page.reload();
    await expect.poll(() => under(page, "Completed")).toHaveLength(4);
    await page.getByRole("searchbox").fill("nowhere");
    await page.getByText("Nothing matches “nowhere”").waitFor();
    expect(await outOfOrder(page, "jobs-nothing")).toEqual([]);
    await page.getByRole("button", { name: "Show all" }).click();

    await expect.poll(() => page.url()).toBe(`${hall.url}/jobs`);
    await jobRow(page, "Move the driver").waitFor();
  });

  it("leaves out a failed job that somebody hides, until they want to see it", async () => {
    await openJobs(page, hall, "?worker=played&show=failed");
    await jobRow(page, "Move the driver").click();
    await page.getByRole("button", { name: "Hide from the list" }).click();
    await page.getByRole("button", { name: "Show in the list" }).waitFor();

    await openJobs(page, hall, "?worker=played&show=failed");
    await page.getByText("No job is like that").waitFor();
    await page.getByRole("checkbox", { name: "With hidden ones" }).check();
    await jobRow(page, "Move the driver").waitFor();
    await expect.poll(() => jobRow(page, "Move the driver").innerText()).toContain("Hidden");
    await jobRow(page, "Move the driver").click();
    await page.getByRole("button", { name: "Show in the list" }).click();

    await page.getByRole("button", { name: "Hide from the list" }).waitFor();
    expect((await hall.client.jobs.list({ status: "failed" })).jobs).toHaveLength(1);
  });

  it("is walked through and opened by keyboard, also from elsewhere", async () => {
    await goTo(page, `${hall.url}/roster/played`);
    await page.keyboard.press("g");
    await page.keyboard.press("j");
    await page.waitForURL(`${hall.url}/jobs`);
    await page.goBack();
    await page.getByRole("link", { name: "See its jobs" }).click();
    await page.waitForURL(`${hall.url}/jobs?worker=played`);
    await jobRow(page, "Move the driver").waitFor();

    await page.keyboard.press("/");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const second = await page.evaluate<string>("document.activeElement.textContent");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await page.evaluate<string>("document.activeElement.type")).toBe("search");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");

    await page.waitForURL(/\/jobs\/played\//);
    expect(second).toContain(await page.getByRole("heading", { level: 1 }).innerText());
  });

  it("says whose jobs are missing, and the page of such a job comes by itself when its worker is back", async () => {
    await isInTrouble(hall, "away");
    await openJobs(page, hall, "?show=failed");
    await page.getByText("The jobs of Away are not listed.").waitFor();
    expect(await outOfOrder(page, "jobs-missing")).toEqual([]);
    await openJobs(page, hall, "/away/job-of-yesterday");
    await page.getByText("Its worker cannot be asked now.").waitFor();
    expect(await outOfOrder(page, "job-unread")).toEqual([]);
    const isDrawnAgain = page.waitForResponse((response) => response.url().includes("_rsc="));
    await page.getByRole("button", { name: "Try again" }).click();
    await isDrawnAgain;

    await putMember(hall.home, "away", back);

    // A played worker that is back has forgotten its jobs.
    await page.getByText("This job is not there.").waitFor({ timeout: 40_000 });
    expect((await hall.client.jobs.list({ worker: "away" })).missing).toEqual([]);
  }, 120_000);

  it("comes page by page", async () => {
    await putMember(hall.home, "archive", archiveOf(270));
    await expect.poll(async () => (await hall.client.jobs.list({ worker: "archive", limit: 1 })).counts.completed, patience).toBe(270);
    await openJobs(page, hall, "?worker=archive");

    await expect.poll(() => under(page, "Ended")).toHaveLength(60);
    await page.getByRole("button", { name: "Show more jobs" }).click();
    await expect.poll(async () => (await under(page, "Ended")).length).toBe(260);
    await page.getByRole("button", { name: "Show more jobs" }).click();

    await expect.poll(async () => (await under(page, "Ended")).length).toBe(270);
    expect(await page.getByRole("button", { name: "Show more jobs" }).count()).toBe(0);
  });
});

describe("a new job", () => {
  it("is dispatched from anywhere by keyboard alone, with a limit; what is missing is said beside its field (REQ-WD-5)", async () => {
    await goTo(page, `${hall.url}/settings`);
    await page.keyboard.press("j");
    const dialog = page.getByRole("dialog", { name: "New job" });

    await dialog.waitFor();
    expect(await outOfOrder(page, "dispatch", { looks: lightDarkSmall })).toEqual([]);
    await tabTo(dialog.getByRole("combobox", { name: "Worker" }), "Shift+Tab");
    await page.keyboard.type("Played");
    await writeInto(dialog.getByRole("textbox", { name: "Most turns" }), "many");
    await page.keyboard.press("Control+Enter");
    await dialog.getByText("Write what the worker is to do.").waitFor();
    await writeInto(dialog.getByRole("textbox", { name: "Task", exact: true }), "progress Looking for three queues\nwait");
    await page.keyboard.press("Control+Enter");
    await dialog.getByText("Write a whole number of turns").waitFor();
    expect(await outOfOrder(page, "dispatch-refused")).toEqual([]);
    await writeInto(dialog.getByRole("textbox", { name: "Most turns" }), "60");
    await writeInto(dialog.getByRole("textbox", { name: "Cost limit" }), "$1.50");
    await page.keyboard.press("Control+Enter");

    await page.waitForURL(/\/jobs\/played\//);
    await page.getByRole("heading", { level: 1, name: "Progress Looking for three queues" }).waitFor();
    const [job] = (await hall.client.jobs.list({ worker: "played", limit: 1 })).jobs;
    const { config, task } = await hall.client.jobs.get("played", job?.jobId ?? "");
    expect({ config, task }).toEqual({ config: { maxTurns: 60, maxBudgetUsd: 1.5 }, task: "progress Looking for three queues\nwait" });
  });

  it("that is left before the hall has answered is told of where the person is by then, and its task is kept until it is accepted", async () => {
    await goTo(page, `${hall.url}/settings`);
    const dialog = page.getByRole("dialog", { name: "New job" });
    const task = dialog.getByRole("textbox", { name: "Task", exact: true });
    await page.keyboard.press("j");
    await dialog.getByRole("combobox", { name: "Worker" }).selectOption("Played");
    await task.fill("say hello");

    const failing = await holdOnce(page, "**/api/workers/*/jobs", (route) => route.abort("aborted"));
    await page.keyboard.press("Control+Enter");
    await failing.isAsked;
    await page.keyboard.press("Escape");
    await page.locator("#new-job").waitFor({ state: "detached" });
    failing.letGo();
    await page.getByRole("status").getByText("Say hello: The hall does not answer.").waitFor();
    await page.keyboard.press("j");
    expect(await task.inputValue()).toBe("say hello");
    expect(await dialog.getByRole("alert").count()).toBe(0);

    await dialog.getByRole("combobox", { name: "Worker" }).selectOption("Played");
    const dispatching = await holdOnce(page, "**/api/workers/*/jobs", (route) => route.continue());
    await task.press("Control+Enter");
    await dispatching.isAsked;
    await page.keyboard.press("Escape");
    await page.locator("#new-job").waitFor({ state: "detached" });
    await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Roster" }).click();
    await page.getByRole("heading", { level: 1, name: "Roster" }).waitFor({ timeout: 10_000 });
    dispatching.letGo();
    await page.getByText("Say hello is dispatched.").waitFor();
    expect(page.url()).toBe(`${hall.url}/roster`);
    await page.keyboard.press("j");
    expect(await task.inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await page.locator("#new-job").waitFor({ state: "detached" });
  });

  it("may be an earlier one again, with another task that leaving does not take away, by keyboard alone (REQ-WD-16)", async () => {
    const config = { maxBudgetUsd: 1.5, colour: "blue" };
    const { jobId } = await hall.client.jobs.dispatch("played", { description: "Look for queues", task: "wait", config });
    await openJobs(page, hall, `/played/${jobId}`);
    await page.keyboard.press("c");
    await pressOn(page.getByRole("dialog", { name: "Cancel this job?" }).getByRole("button", { name: "Cancel job" }));
    await page.getByRole("main").getByText("Cancelled", { exact: true }).first().waitFor();

    await page.keyboard.press("Shift+R");
    const dialog = page.getByRole("dialog", { name: "Dispatch again" });
    const task = dialog.getByRole("textbox", { name: "Task", exact: true });
    await expect.poll(() => task.inputValue()).toBe("wait");
    await expect.poll(() => dialog.getByRole("textbox", { name: "Cost limit" }).inputValue()).toBe("1.5");
    await writeInto(task, "result Two queues are **enough**.");
    await page.keyboard.press("Escape");
    await page.locator("#new-job").waitFor({ state: "detached" });
    await page.keyboard.press("Shift+R");
    await expect.poll(() => task.inputValue()).toBe("result Two queues are **enough**.");
    await page.keyboard.press("Control+Enter");

    await page.getByRole("tabpanel", { name: "Result" }).getByText("Two queues are enough.").waitFor();
    const [again, first] = (await hall.client.jobs.list({ filter: "Look for queues" })).jobs;
    expect([again?.status, first?.status, first?.jobId]).toEqual(["completed", "cancelled", jobId]);
    expect((await hall.client.jobs.get("played", again?.jobId ?? "")).config).toEqual(config);
  });

  it("is given to nobody else by itself where the worker of an earlier one is gone; one that is refused keeps what was written, and says why", async () => {
    await putMember(hall.home, "away", back);
    await areConnected(hall, "away");
    const { jobId } = await hall.client.jobs.dispatch("away", { description: "Orphaned", task: "say hello" });
    const own = await browser.open(`${hall.url}/jobs/away/${jobId}`, { expects: /404|409|502|response 400|status of 400/ });
    await isAlive(own);
    await own.keyboard.press("Shift+R");
    const dialog = own.getByRole("dialog", { name: "Dispatch again" });
    const worker = dialog.getByRole("combobox", { name: "Worker" });
    await expect.poll(() => worker.inputValue()).toBe("away");

    await hall.client.roster.remove("away");
    await dialog.getByRole("option", { name: "Its worker is gone: choose another" }).waitFor({ state: "attached" });
    await dialog.getByRole("button", { name: "Dispatch job" }).click();
    await dialog.getByText("Choose who is to do it.").waitFor();
    await worker.selectOption("Played");
    await dialog.getByRole("textbox", { name: "Description" }).fill("play: bad settings");
    await dialog.getByRole("button", { name: "Dispatch job" }).click();

    await dialog.getByRole("alert").getByText('There is no setting "colour".').waitFor();
    await expect.poll(() => dialog.getByRole("textbox", { name: "Task", exact: true }).inputValue()).toBe("say hello");
  });
});

describe("the pages of jobs", () => {
  it("have nothing out of order where a job asks, nor has what is asked before it is cancelled", async () => {
    await openJobs(page, hall, `/played/${await playJob(hall, "Replace the cursor table", ...longTask, "wait")}`);
    await page.getByRole("heading", { name: "Timeline" }).waitFor();

    expect(await outOfOrder(page, "job", { looks: everyLook })).toEqual([]);
    await page.keyboard.press("c");
    await page.getByRole("dialog", { name: "Cancel this job?" }).waitFor();
    expect(await outOfOrder(page, "cancel-job")).toEqual([]);
  });

  it("have nothing out of order where a job has ended, however long its words are", async () => {
    const [name, task] = [
      `\u202eCap ${endless.slice(0, 400)}`,
      [...longTask, `progress ${endless}`, `decide ${endless} | ${endless} | no`],
    ];
    const file = `${endless.slice(0, 200)}.md`;
    const jobId = await playJob(hall, name, ...task, `ask ${endless}`, `write ${file} # Cap`, `result **Done** ${endless}`);
    await openJobs(page, hall, `/played/${jobId}`);
    await page.getByRole("tabpanel", { name: "Result" }).waitFor();

    expect(await outOfOrder(page, "job-done", { looks: lightDarkSmall })).toEqual([]);
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page.getByRole("heading", { name: "Timeline" }).waitFor();
    expect(await wideElements(page)).toEqual([]);
    await page.getByRole("tab", { name: "Transcript" }).click();
    await page.getByRole("heading", { name: "Transcript" }).waitFor();
    expect(await outOfOrder(page, "job-transcript")).toEqual([]);
    await page.getByRole("complementary").getByRole("link", { name: /xxx/ }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Download" }).waitFor();
    expect(await outOfOrder(page, "job-artifact", { looks: lightDarkSmall })).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("dialog", { name: "Delete this job?" }).waitFor();
    expect(await outOfOrder(page, "delete-job", { looks: lightDarkSmall })).toEqual([]);
    await openJobs(page, hall, "?worker=played");
    await jobRow(page, "[U+202E]Cap").waitFor();
    expect(await wideElements(page)).toEqual([]);
  });
});

describe("word of a job", () => {
  it("comes on other pages, those of other jobs too, and by the browser where no tab is in sight; there a click leads to it", async () => {
    await window.context.grantPermissions(["notifications"]);
    await window.context.addInitScript(rememberNotifications);
    await openJobs(page, hall, "?worker=played");
    await page.evaluate(rememberNotifications);
    const elsewhere = await window.tab(`${hall.url}/jobs/played/${await playJob(hall, "Another", "result Done.")}`);
    await isAlive(elsewhere);
    await page.getByRole("button", { name: "Tell me when a job ends or asks" }).click();
    const asks = await playJob(hall, "Told here", "wait", "ask Which \u202eone?", "wait");

    await setVisibility(page, "hidden");
    await goOn(hall, asks);
    await elsewhere.getByText("Told here: Asks: Which [U+202E]one?").waitFor();
    expect(await page.evaluate("window.told")).toEqual([]);
    await setVisibility(elsewhere, "hidden");
    const fails = await playJob(hall, "Told there", "wait", "fail No more money.");
    await goOn(hall, fails);

    const told = async () => [...(await page.evaluate<string[]>("window.told")), ...(await elsewhere.evaluate<string[]>("window.told"))];
    await expect.poll(told, { timeout: 10_000 }).toContain("Told there: Failed: No more money.");
    const teller = (await page.evaluate<string[]>("window.told")).length > 0 ? page : elsewhere;
    await teller.evaluate("window.lastTold.dispatchEvent(new Event('click'))");
    await teller.waitForURL(`${hall.url}/jobs/played/${fails}`);
    await hall.client.jobs.cancel("played", asks);
    expect(await statusOfJob(hall, asks)).toBe("cancelled");
  });
});

const archiveOf = (jobs: number) => ({ ...playedWorker({ jobs }), displayName: "Archive" });
const back = { ...playedWorker(), displayName: "Away" };

const endless = "x".repeat(3000);

const longTask = [
  "say I begin with the readers.",
  "use WebSearch",
  "use Read",
  "progress 3 of 5 readers now call watermark(). 61 tests pass.",
  "decide In which order? | move readers first, writers last | Either half can then be reverted alone.",
  "write notes/cursor-migration.md # Notes",
  "ask Drop the old sync_cursor column now, or keep it for 2.15?",
];

/** A notification is drawn by the system, where no test can see it: what the page hands over is written down. */
const rememberNotifications = `window.told = [];
  window.Notification = class extends EventTarget {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) { super(); window.told.push(title + ": " + body); window.lastTold = this; }
    close() {}
  };`;
