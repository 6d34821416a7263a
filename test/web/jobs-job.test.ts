import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedWorker } from "../../src/adapters/members/played-worker.testing.ts";
import type { JobId } from "../../src/schema/job.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { goOn, openJobs, playJob } from "./jobs-stage.ts";
import { areConnected } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: HallProcess;
let page: Page;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false })]);
  await putMember(hall.home, "played", { ...playedWorker({ tools: true }), displayName: "Played" });
  await putMember(hall.home, "plain", { ...playedWorker({ additions: false }), displayName: "Plain" });
  await areConnected(hall, "played", "plain");
  page = await browser.open(hall.url, { lasts: true });
});

const open = (jobId: JobId, worker = "played"): Promise<void> => openJobs(page, hall, `/${worker}/${jobId}`);

describe("the page of a job", () => {
  it("shows what happens as it happens: timeline, transcript, turns and cost against their limits (REQ-WD-11, REQ-WD-13)", async () => {
    const jobId = await playJob(hall, "Look for queues", "say I begin.", "use WebSearch", "wait", ...later, "wait", "result # Found");
    await open(jobId);
    const timeline = page.getByRole("tabpanel", { name: /Timeline/ });
    await timeline.getByText("Started.").waitFor();
    expect(await page.title()).toBe("Running: Look for queues · Guild Hall");

    await goOn(hall, jobId);

    await timeline.getByText("Progress: 2 of 3 read").waitFor();
    expect(await timeline.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringContaining("Artifact artifacts/notes.md"),
      expect.stringMatching(/Decision: the second[^]*It is the oldest\.[^]*about: Which first\?/),
      expect.stringContaining("Progress: 2 of 3 read"),
      expect.stringContaining("Started."),
    ]);
    await page.getByRole("group", { name: "Show" }).getByRole("button", { name: "Decisions 1" }).click();
    expect(await timeline.getByRole("listitem").count()).toBe(1);
    expect(await page.getByRole("status").allInnerTexts()).toContainEqual(expect.stringContaining("Decision: the second"));
    const facts = page.getByRole("complementary", { name: "Job facts" });
    await facts.getByText("2 of 150").waitFor();
    expect(await facts.getByRole("meter", { name: "Cost" }).getAttribute("aria-valuetext")).toBe("$0.02 of $2.50");

    await page.getByRole("tab", { name: /Timeline/ }).press("ArrowRight");
    const transcript = page.getByRole("tabpanel", { name: "Transcript" });
    await transcript.getByText("I begin.").waitFor();
    await transcript.locator("summary", { hasText: "WebSearch" }).first().click();
    await transcript.getByText("WebSearch was played.").waitFor();
    expect(page.url()).toContain("?part=transcript");
    await goOn(hall, jobId);

    await page.getByRole("tab", { name: "Result" }).click();
    await page.getByRole("tabpanel", { name: "Result" }).getByRole("heading", { name: "Found" }).waitFor();
    expect(await page.title()).toBe("Look for queues · Guild Hall");
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

    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Evil <b>words</b>");
    await page
      .getByRole("complementary")
      .getByRole("link", { name: /a\/evil.html/ })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("<img src=x").waitFor();
    expect(page.url()).toContain("#artifact=artifacts/a/evil.html");
    expect(await dialog.getByRole("link", { name: "Download" }).getAttribute("href")).toBe(
      `/api/workers/played/jobs/${jobId}/artifacts/artifacts/a/evil.html`,
    );
    await page.keyboard.press("Escape");
    await page
      .getByRole("complementary")
      .getByRole("link", { name: /drawing.svg/ })
      .click();
    await dialog.getByText("<svg onload").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Task" }).click();

    expect(await page.getByRole("tabpanel", { name: "Task" }).innerText()).toContain(evil);
    expect(await page.locator("main img, main svg[onload], main a[href^=javascript]").count()).toBe(0);
    expect(await page.title()).toBe("Evil <b>words</b> · Guild Hall");
  });

  it("has its question answered in place: a follow-up carries question and answer (REQ-WD-12)", async () => {
    const jobId = await playJob(hall, "Drop a column", "ask Drop it now?", "wait");
    await open(jobId);
    const nav = page.getByRole("navigation", { name: "Main", exact: true });
    await nav.getByRole("link", { name: "Jobs 1 waiting for you" }).waitFor();
    const card = page.getByRole("region", { name: /^Played asks/ });
    expect(await page.title()).toBe("Asks you: Drop a column · Guild Hall");

    await card.getByRole("textbox", { name: "Your answer" }).fill("Keep it for one release.");
    await page.keyboard.press("Control+Enter");

    const link = page.getByRole("link", { name: "the job that goes on with it" });
    await link.waitFor();
    expect(await card.count()).toBe(0);
    await link.click();
    await page.waitForURL((url) => !url.href.includes(jobId));
    await page.getByRole("tab", { name: "Task" }).click();
    const task = page.getByRole("tabpanel", { name: "Task" });
    await task.getByText("Keep it for one release.").waitFor();
    expect(await task.innerText()).toContain("Drop it now?");
    // A played worker does all of its task, and so the follow-up asks the same.
    const [followUp, ...others] = (await hall.client.jobs.list({ needsYou: true })).jobs.map((job) => job.jobId);
    expect([page.url(), others]).toEqual([expect.stringContaining(followUp ?? "none"), []]);
    await openJobs(page, hall, "");
    await nav.getByRole("link", { name: "Jobs 1 waiting for you" }).waitFor();
    await hall.client.jobs.cancel("played", followUp ?? "");
    await hall.client.jobs.remove("played", followUp ?? "");
    await nav.getByRole("link", { name: "Jobs 1 waiting for you" }).waitFor({ state: "detached" });
  });

  it("says why a job failed, which is kept (REQ-WD-17, REQ-WD-44)", async () => {
    await open(await playJob(hall, "Runs out of money", "fail The budget of $2.50 is used up."));

    await page.getByText("The job failed. The budget of $2.50 is used up.").waitFor();

    expect(await page.getByRole("button", { name: "Delete…" }).count()).toBe(0);
    await page.getByRole("tab", { name: "Result" }).click();
    await page.getByText("The job failed before it had one.").waitFor();
  });

  it("asks before it deletes one, and says so where it was deleted elsewhere (REQ-WD-18)", async () => {
    const [mine, other] = [await playJob(hall, "Mine", "result Done"), await playJob(hall, "Of another", "result Done")];
    await open(mine);
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("dialog", { name: "Delete this job?" }).getByRole("button", { name: "Delete job" }).click();
    await page.waitForURL(`${hall.url}/jobs`);
    await page.getByText("Mine is deleted.").waitFor();
    await open(other);

    await hall.client.jobs.remove("played", other);

    await page.getByText("This job is not there.").waitFor();
    expect((await hall.client.jobs.list({ filter: "Mine" })).jobs).toEqual([]);
  });

  it("is smaller where a worker tells less (REQ-WD-10)", async () => {
    const task = ["progress Half way", "ask Which?", "decide How? | so | It is short.", "write x.md Hello", "result Done so."].join("\n");
    const { jobId } = await hall.client.jobs.dispatch("plain", { description: "Told briefly", task });
    await open(jobId, "plain");
    await page.getByRole("tabpanel", { name: "Result" }).getByText("Done so.").waitFor();

    expect(await page.getByRole("tab").allInnerTexts()).toEqual(["Result", expect.stringContaining("Timeline"), "Task"]);
    await page.getByRole("tab", { name: /Timeline/ }).click();
    const entries = page.getByRole("tabpanel").getByRole("listitem");
    expect(await entries.allInnerTexts()).toEqual([
      expect.stringContaining("Completed"),
      expect.stringContaining("Half way"),
      expect.stringContaining("Which?"),
      expect.stringContaining("Decision: so"),
      expect.stringContaining("Dispatched"),
    ]);
    const facts = page.getByRole("complementary");
    expect(await facts.innerText()).toMatch(/Turns\s+not told[^]*x\.md/);
    expect(await facts.getByRole("link").count()).toBe(0);
    await page.getByRole("button", { name: "Dispatch again…" }).waitFor();
  });

  it("is not found where there is no such job (REQ-WD-46)", async () => {
    await openJobs(page, hall, "/played/no-such-job");
    await page.getByText("This job is not there.").waitFor();
    expect(await page.title()).toBe("Not found · Guild Hall");
  });
});

const later = ["progress 2 of 3 read", "decide Which first? | the second | It is the oldest.", "write notes.md # Notes", "use WebSearch"];
