import type { Locator, Page } from "playwright-core";
import { expect, vi } from "vitest";
import type { Hall } from "../running-hall.ts";
import { statusOf } from "../server/members-by-hand.ts";

/** For machines that are busy with other tests. */
const patience = { timeout: 40_000, interval: 100 };

/** Unlike what `expect.poll` can do, this waits in `beforeAll` too. */
export async function areConnected(hall: Hall, ...names: string[]): Promise<void> {
  for (const name of names) await vi.waitFor(async () => expect(await statusOf(hall, name)).toBe("connected"), patience);
}

export const isInTrouble = (hall: Hall, name: string): Promise<void> =>
  vi.waitFor(async () => expect(await statusOf(hall, name)).toBe("error"), patience);

/** The line of a member, in whatever list. */
export const memberRow = (place: Locator, name: string): Locator =>
  place.locator("summary", { has: place.page().getByText(name, { exact: true }) });

/** A page reads the tools of members a moment after it has come alive. */
export const toolsAreRead = (page: Page, member: string, tool: string): Promise<void> =>
  page.locator(`summary ~ ul a[href='/roster/${member}/${tool}']`).first().waitFor({ state: "attached" });
