import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { playedWorker } from "../../src/adapters/members/played-worker.testing.ts";
import type { JobId } from "../../src/schema/job.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { goTo, startBrowser } from "./browser.ts";
import { pressOn, tabTo, writeInto } from "./by-keyboard.ts";
import { goOn, jobRow, openJobs, playJob, statusOfJob } from "./jobs-stage.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { areConnected } from "./roster-stage.ts";

let hall: Hall;
let page: Page;
/** Where requests that fail are the point. */
let troubled: Page;
/** They ended before any page could tell of it, and so no page asks for them when they are gone. */
let mine: JobId;
let other: JobId;
let both: JobId;

beforeAll(async () => {
  const [browser, shared] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  hall = shared;
  await putMember(hall.home, "played", { ...playedWorker({ tools: true }), displayName: "Played" });
  await putMember(hall.home, "plain", { ...playedWorker({ additions: false }), displayName: "Plain" });
  await putMember(hall.home, "scribe", playedBy("stdio", "well"));
  await areConnected(hall, "played", "plain", "scribe");
  mine = await playJob(hall, "Mine", "result Done");
  other = await playJob(hall, "Of another", "result Done");
  both = await playJob(hall, "Of both", "result Done");
  page = await browser.open(hall.url, { lasts: true });
  troubled = await browser.open(`${hall.url}/settings`, { lasts: true, expects: /404|409|502|503|ERR_CONNECTION_RESET/ });
});

const open = (jobId: JobId, worker = "played"): Promise<void> => openJobs(page, hall, `/${worker}/${jobId}`);

const waitingJobs = async (): Promise<JobId[]> => (await hall.client.jobs.list({ needsYou: true })).jobs.map(({ jobId }) => jobId);

const cutOff = (route: Route): Promise<void> => route.abort("connectionreset");

describe("the page of a job", () => {
  it("shows what happens as it happens: timeline, transcript, turns and cost against their limits (REQ-WD-11, REQ-WD-13)", async () => {
    const jobId = await playJob(hall, "Look for queues", "say I begin.", "use WebSearch", "wait", ...later, "wait", "result # Found");
    await open(jobId);
    const timeline = page.getByRole("tabpanel", { name: /Timeline/ });
    await timeline.getByText("Started.").waitFor();
    await expect.poll(() => page.title()).toBe("Running: Look for queues · Guild Hall");

    await goOn(hall, jobId);

    await timeline.getByText("Progress: 2 of 3 read").waitFor();
    await expect
      .poll(() => timeline.getByRole("listitem").allInnerTexts())
      .toEqual([
        expect.stringContaining("Artifact artifacts/notes.md"),
        expect.stringMatching(/Decision: the second[^]*It is the oldest\.[^]*about: Which first\?/),
        expect.stringContaining("Progress: 2 of 3 read"),
        expect.stringContaining("Started."),
      ]);
    await page.getByRole("group", { name: "Show" }).getByRole("button", { name: "Decisions 1" }).click();
    await expect.poll(() => timeline.getByRole("listitem").count()).toBe(1);
    await expect.poll(() => page.getByRole("status").allInnerTexts()).toContainEqual(expect.stringContaining("Decision: the second"));
    const facts = page.getByRole("complementary", { name: "Job facts" });
    await facts.getByText("2 of 150").waitFor();
    await expect.poll(() => facts.getByRole("meter", { name: "Cost" }).getAttribute("aria-valuetext")).toBe("$0.02 of $2.50");

    await page.getByRole("tab", { name: /Timeline/ }).press("ArrowRight");
    const transcript = page.getByRole("tabpanel", { name: "Transcript" });
    await transcript.getByText("I begin.").waitFor();
    await transcript.locator("summary", { hasText: "WebSearch" }).first().click();
    await transcript.getByText("WebSearch was played.").waitFor();
    expect(page.url()).toContain("?part=transcript");
    await goOn(hall, jobId);

    await page.getByRole("tab", { name: "Result" }).click();
    await page.getByRole("tabpanel", { name: "Result" }).getByRole("heading", { name: "Found" }).waitFor();
    await expect.poll(() => page.title()).toBe("Look for queues · Guild Hall");
  });

  it("shows what a worker says as text that can do nothing, in its result, its task and its files (REQ-WD-15)", async () => {
    const evil = `<img src=x onerror="document.title='taken'"> [here](javascript:alert(1))`;
    const jobId = await playJob(
      hall,
      "Evil <b>words</b>",
      `write a/evil.html ${evil}`,
      `write drawing.svg <svg onload="alert(1)"/>`,
      `result ${evil}`,
    );
    await open(jobId);
    await page.getByRole("tabpanel", { name: "Result" }).getByText("<img src=x").waitFor();

    await expect.poll(() => page.getByRole("heading", { level: 1 }).innerText()).toBe("Evil <b>words</b>");
    await page
      .getByRole("complementary")
      .getByRole("link", { name: /a\/evil.html/ })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("<img src=x").waitFor();
    expect(page.url()).toContain("#artifact=artifacts/a/evil.html");
    await expect
      .poll(() => dialog.getByRole("link", { name: "Download" }).getAttribute("href"))
      .toBe(`/api/workers/played/jobs/${jobId}/artifacts/artifacts/a/evil.html`);
    await page.keyboard.press("Escape");
    await page
      .getByRole("complementary")
      .getByRole("link", { name: /drawing.svg/ })
      .click();
    await dialog.getByText("<svg onload").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Task" }).click();

    await expect.poll(() => page.getByRole("tabpanel", { name: "Task" }).innerText()).toContain(evil);
    expect(await page.locator("main img, main svg[onload], main a[href^=javascript]").count()).toBe(0);
    await expect.poll(() => page.title()).toBe("Evil <b>words</b> · Guild Hall");
  });

  it("has its question answered in place, by keyboard alone: a follow-up carries question and answer (REQ-WD-12)", async () => {
    const jobId = await playJob(hall, "Drop a column", "ask Drop it now?", "wait");
    await open(jobId);
    const nav = page.getByRole("navigation", { name: "Main", exact: true });
    await nav.getByRole("link", { name: "Jobs 1 waiting for you" }).waitFor();
    const card = page.getByRole("region", { name: /^Played asks/ });
    await expect.poll(() => page.title()).toBe("Asks you: Drop a column · Guild Hall");

    await writeInto(card.getByRole("textbox", { name: "Your answer" }), "Keep it for one release.");
    await page.keyboard.press("Control+Enter");

    const link = page.getByRole("link", { name: "the job that goes on with it" });
    await link.waitFor();
    expect(await card.count()).toBe(0);
    await pressOn(link);
    await page.waitForURL((url) => !url.href.includes(jobId));
    await tabTo(page.getByRole("tab", { name: /Timeline/ }));
    await page.keyboard.press("End");
    const task = page.getByRole("tabpanel", { name: "Task" });
    await task.getByText("Keep it for one release.").waitFor();
    await expect.poll(() => task.innerText()).toContain("Drop it now?");
    // A played worker does all of its task, and so the follow-up asks the same.
    const [followUp, ...others] = (await hall.client.jobs.list({ needsYou: true })).jobs.map((job) => job.jobId);
    expect([page.url(), others]).toEqual([expect.stringContaining(followUp ?? "none"), []]);
    // What the browser keeps of a page is how it was before the answer.
    await page.goBack();
    await page.waitForURL(`**/${jobId}`);
    await link.waitFor();
    await openJobs(page, hall, "");
    await nav.getByRole("link", { name: "Jobs 1 waiting for you" }).waitFor();
    await hall.client.jobs.cancel("played", followUp ?? "");
    // The list reads it for that, and must not find it gone.
    await page.locator(`a[data-job][href*="${followUp}"]`, { hasText: "Cancelled" }).waitFor();
    await hall.client.jobs.remove("played", followUp ?? "");
    await nav.getByRole("link", { name: "Jobs 1 waiting for you" }).waitFor({ state: "detached" });
  });

  it("offers an answer again that did not reach its worker, as it was written (REQ-WD-12)", async () => {
    const jobId = await playJob(hall, "Keep an index", "ask Keep it?", "balk", "result Done");
    await openJobs(troubled, hall, `/played/${jobId}`);
    const card = troubled.getByRole("region", { name: /^Played asks/ });
    await card.getByRole("textbox", { name: "Your answer" }).fill("Until 2.15.");
    await card.getByRole("button", { name: "Send answer" }).click();
    await troubled.getByRole("alert").getByText("It is out for lunch.").waitFor();

    await openJobs(troubled, hall, "");
    await troubled.evaluate("sessionStorage.clear()");
    await openJobs(troubled, hall, `/played/${jobId}`);
    await card.getByText("did not reach the worker").waitFor();
    await expect.poll(() => card.getByRole("textbox", { name: "Your answer" }).inputValue()).toBe("Until 2.15.");
    await card.getByRole("button", { name: "Send answer" }).click();

    await troubled.getByRole("link", { name: "the job that goes on with it" }).waitFor();
    expect((await hall.client.jobs.get("played", jobId)).asked).toMatchObject([{ isOpen: false, answer: { text: "Until 2.15." } }]);
    await Promise.all((await waitingJobs()).map((waiting) => hall.client.jobs.dismiss("played", waiting, "Keep it?")));
  });

  it("has a question put away that needs no answer, and answered after all", async () => {
    const jobId = await playJob(hall, "Settled elsewhere", "ask Which way?", "result Done");
    await openJobs(page, hall, "");
    await jobRow(page, "Settled elsewhere").getByText("Asks you").waitFor();
    await open(jobId);
    const card = page.getByRole("region", { name: /^Played asks/ });

    await card.getByRole("button", { name: "Dismiss" }).click();

    await page.getByText("You dismissed this question").waitFor();
    expect(await outOfOrder(page, "job-dismissed")).toEqual([]);
    expect(await waitingJobs()).toEqual([]);
    await expect.poll(() => page.title()).toBe("Settled elsewhere · Guild Hall");
    await page.getByRole("button", { name: "Answer after all" }).click();
    await card.getByRole("textbox", { name: "Your answer" }).waitFor();
    await page.goBack();
    await expect.poll(() => jobRow(page, "Settled elsewhere").innerText()).not.toContain("Asks you");
  });

  it("says so where the hall did not answer what was asked, however often the job is read meanwhile", async () => {
    const jobId = await playJob(hall, "Cut off", "ask Which way?", "wait", "use Read", "wait");
    await openJobs(troubled, hall, `/played/${jobId}`);
    await troubled.route("**/dismiss", cutOff, { times: 1 });
    const dismiss = troubled.getByRole("region", { name: /^Played asks/ }).getByRole("button", { name: "Dismiss" });
    const alert = troubled.getByRole("alert").getByText("may be done all the same");

    await dismiss.click();

    await alert.waitFor();
    await goOn(hall, jobId);
    await troubled.getByRole("complementary").getByText("1 of 150").waitFor();
    expect(await alert.count()).toBe(1);
    await dismiss.click();
    await troubled.getByText("You dismissed this question").waitFor();
    expect(await alert.count()).toBe(0);
    expect(await waitingJobs()).not.toContain(jobId);
    await hall.client.jobs.cancel("played", jobId);
  });

  it("takes what was asked for as done where only the reading after it is cut off", async () => {
    const jobId = await playJob(hall, "Cut off later", "wait");
    await openJobs(troubled, hall, `/played/${jobId}`);
    await troubled.getByRole("button", { name: "Cancel job…" }).click();
    const dialog = troubled.getByRole("dialog", { name: "Cancel this job?" });
    const reading = `**/api/workers/played/jobs/${jobId}`;
    await troubled.route(reading, cutOff);

    await dialog.getByRole("button", { name: "Cancel job" }).click();

    await dialog.waitFor({ state: "hidden" });
    await troubled.unroute(reading);
    expect(await statusOfJob(hall, jobId)).toBe("cancelled");
  });

  it("comes also where the result cannot be read, and says why (REQ-WD-14)", async () => {
    const jobId = await playJob(hall, "Lost and found", "say I had it.", "lose The disk ate it.");
    // What happened in it is asked for again too.
    await troubled.route(`**/${jobId}/events*`, cutOff, { times: 1 });
    await openJobs(troubled, hall, `/played/${jobId}`);

    const result = troubled.getByRole("tabpanel", { name: "Result" });
    await result.getByText("The result cannot be read.").waitFor();
    await expect.poll(() => result.innerText()).toContain("The disk ate it.");
    expect(await outOfOrder(troubled, "job-result-lost")).toEqual([]);
    await result.getByRole("button", { name: "Try again" }).click();
    await troubled.getByRole("tab", { name: "Transcript" }).click();
    await troubled.getByRole("tabpanel", { name: "Transcript" }).getByText("I had it.").waitFor();
    expect(await troubled.getByText("What happened in the job could not be read.").count()).toBe(0);
  });

  it("draws the newest of very much, tells nothing old as new, and has the rest at a press", async () => {
    const jobId = await playJob(hall, "Talks much", "repeat 250 progress Step", "repeat 130 say Word", "wait");
    await open(jobId);
    const timeline = page.getByRole("tabpanel", { name: /Timeline/ });
    await timeline.getByText("Progress: Step 250").waitFor();

    await expect.poll(() => page.getByRole("tab", { name: /Timeline/ }).innerText()).toMatch(/251/);
    await expect.poll(() => timeline.getByRole("listitem").count()).toBe(200);
    expect((await page.getByRole("status").allInnerTexts()).join(" ")).not.toContain("Step");
    await timeline.getByRole("button", { name: "Show earlier 51" }).click();
    await expect.poll(() => timeline.getByRole("listitem").count()).toBe(251);

    await page.getByRole("tab", { name: "Transcript" }).click();
    const transcript = page.getByRole("tabpanel", { name: "Transcript" });
    await transcript.getByText("Word 130", { exact: true }).waitFor();
    expect(await transcript.getByText("Word 30", { exact: true }).count()).toBe(0);
    await transcript.getByRole("button", { name: "Show earlier 30" }).click();
    await transcript.getByText("Word 1", { exact: true }).waitFor();
    await hall.client.jobs.cancel("played", jobId);
  });

  it("says why a job failed, which is kept (REQ-WD-17, REQ-WD-44)", async () => {
    await open(await playJob(hall, "Runs out of money", "fail The budget of $2.50 is used up."));

    await page.getByText("The job failed. The budget of $2.50 is used up.").waitFor();

    expect(await outOfOrder(page, "job-failed", { looks: lightDarkSmall })).toEqual([]);
    expect(await page.getByRole("button", { name: "Delete…" }).count()).toBe(0);
    await page.getByRole("tab", { name: "Result" }).click();
    await page.getByText("The job failed before it had one.").waitFor();
  });

  it("asks before it deletes one, and says so where it was deleted elsewhere (REQ-WD-18)", async () => {
    await openJobs(troubled, hall, `/played/${mine}`);
    await troubled.getByRole("button", { name: "Delete…" }).click();
    await troubled.getByRole("dialog", { name: "Delete this job?" }).getByRole("button", { name: "Delete job" }).click();
    await troubled.waitForURL(`${hall.url}/jobs`);
    await troubled.getByText("Mine is deleted.").waitFor();
    await openJobs(troubled, hall, `/played/${both}`);
    await troubled.getByRole("button", { name: "Delete…" }).click();
    await hall.client.jobs.remove("played", both);
    await troubled.getByRole("dialog", { name: "Delete this job?" }).getByRole("button", { name: "Delete job" }).click();
    await troubled.waitForURL(`${hall.url}/jobs`);
    const [isAnswered, mayArrive] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const address = `**/api/workers/played/jobs/${other}`;
    const hold = async (route: Route) => {
      const response = await route.fetch();
      isAnswered.resolve();
      await mayArrive.promise;
      await route.fulfill({ response });
    };
    await troubled.route(address, hold, { times: 1 });
    await openJobs(troubled, hall, `/played/${other}`);
    await troubled.getByRole("heading", { level: 1, name: "Of another" }).waitFor();
    await isAnswered.promise;

    await hall.client.jobs.remove("played", other);

    const gone = troubled.getByText("This job is not there.");
    await gone.waitFor();
    const hasArrived = troubled.waitForResponse(address);
    mayArrive.resolve();
    // What was read before is no news.
    await hasArrived;
    expect(await gone.count()).toBe(1);
    expect((await hall.client.jobs.list({ filter: "Mine" })).jobs).toEqual([]);
  });

  it("is smaller where a worker tells less (REQ-WD-10)", async () => {
    const task = ["progress Half way", "ask Which?", "decide How? | so | It is short.", "write x.md Hello", "result Done so."].join("\n");
    const { jobId } = await hall.client.jobs.dispatch("plain", { description: "Told briefly", task });
    await open(jobId, "plain");
    await page.getByRole("tabpanel", { name: "Result" }).getByText("Done so.").waitFor();

    await expect.poll(() => page.getByRole("tab").allInnerTexts()).toEqual(["Result", expect.stringContaining("Timeline"), "Task"]);
    await page.getByRole("tab", { name: /Timeline/ }).click();
    const entries = page.getByRole("tabpanel", { name: /Timeline/ }).getByRole("listitem");
    await entries.first().waitFor();
    await expect
      .poll(() => entries.allInnerTexts())
      .toEqual([
        expect.stringContaining("Completed"),
        expect.stringContaining("Half way"),
        expect.stringContaining("Which?"),
        expect.stringContaining("Decision: so"),
        expect.stringContaining("Dispatched"),
      ]);
    const facts = page.getByRole("complementary");
    await expect.poll(() => facts.innerText()).toMatch(/Turns\s+not told[^]*x\.md/);
    expect(await facts.getByRole("link").count()).toBe(0);
    await page.getByRole("button", { name: "Dispatch again…" }).waitFor();
  });

  it("is not found where there is no such job, no such worker, or a member that takes no jobs (REQ-WD-45, REQ-WD-46)", async () => {
    await openJobs(troubled, hall, "/played/no-such-job");
    await troubled.getByText("This job is not there.").waitFor();
    expect(await outOfOrder(troubled, "job-gone")).toEqual([]);
    await expect.poll(() => troubled.title()).toBe("Not found · Guild Hall");

    const statuses = ["played/no-such-job", "nobody/x", "scribe/x", "No/x"].map(
      async (path) => (await fetch(`${hall.url}/jobs/${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404]);
  });

  it("says so where its worker dies of it, and asks for nothing more once the job is gone (REQ-WD-44)", async () => {
    await goTo(page, `${hall.url}/settings`);
    const jobId = await playJob(hall, "Too much", "progress Half way", "wait", "die");
    await openJobs(troubled, hall, `/played/${jobId}`);
    await troubled.getByRole("tabpanel").getByText("Progress: Half way").waitFor();
    let asked = 0;
    troubled.on("request", (request) => (asked += request.url().includes("/events?") ? 1 : 0));

    await expect(goOn(hall, jobId)).rejects.toMatchObject({ code: "member_failed" });
    // A played worker that is back has forgotten its jobs.
    await troubled.getByText("This job is not there.").waitFor({ timeout: 40_000 });
    let before = -1;
    await expect.poll(() => before === (before = asked), { interval: 1500, timeout: 10_000 }).toBe(true);
  });
});

const later = ["progress 2 of 3 read", "decide Which first? | the second | It is the oldest.", "write notes.md # Notes", "use WebSearch"];
