import type { Locator, Page } from "playwright-core";
import { expect, vi } from "vitest";
import { MemberName } from "../../src/schema/ids.ts";
import type { JobId, JobStatus } from "../../src/schema/job.ts";
import type { Hall } from "../running-hall.ts";
import { goTo } from "./browser.ts";

/** Gives a job to the worker that plays its task line by line. */
export async function playJob(hall: Hall, description: string, ...task: string[]): Promise<JobId> {
  return (await hall.client.jobs.dispatch("played", { description, task: task.join("\n") })).jobId;
}

/** Lets a job go on that waits. */
export const goOn = (hall: Hall, jobId: JobId): Promise<unknown> =>
  hall.client.tools.invoke({ member: MemberName.parse("played"), tool: "go_on", input: { jobId } });

export const statusOfJob = async (hall: Hall, jobId: JobId): Promise<JobStatus> => (await hall.client.jobs.get("played", jobId)).status;

export const openJobs = (page: Page, hall: Hall, path: string): Promise<void> => goTo(page, `${hall.url}/jobs${path}`);

/** The row of a job in the list. */
export const jobRow = (page: Page, description: string): Locator => page.locator("a[data-job]", { hasText: description });

/** The descriptions of the jobs under a heading. */
export const under = (page: Page, heading: string): Promise<string[]> =>
  page
    .getByRole("main")
    .getByRole("list", { name: heading, exact: true })
    .locator("a[data-job] > span:nth-child(2) > span:first-child")
    .allInnerTexts();

export const standsUnder = (page: Page, heading: string, ...descriptions: string[]): Promise<void> =>
  vi.waitFor(async () => expect(await under(page, heading)).toEqual(descriptions), { timeout: 10_000, interval: 100 });
