import type { Browser, BrowserContext, Page } from "playwright-core";
import { personCookies } from "../person.ts";
import { keepInSight } from "./last-sight.ts";
import { watch } from "./troubles.ts";

/** How a tab is wanted. */
export type SeatLook = {
  theme?: "light" | "dark";
  width?: 1440 | 390;
  /** Without the person's cookie, as after the bare address. */
  person?: false;
  /** Troubles that are the point of the test. */ expects?: RegExp;
};

/** A tab that one test after the other has to itself: the next finds nothing of the one before, and a browser that is warm. */
type Seat = { page: Page; width: 1440 | 390; isTaken: boolean; expects: RegExp | undefined };

export const sizes = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } };

export const contextOf = ({ theme = "light", width = 1440 }: SeatLook) =>
  ({ viewport: sizes[width], colorScheme: theme, reducedMotion: "reduce", hasTouch: width === 390 }) as const;

const seats: Seat[] = [];

export async function takeSeat(browser: Browser, look: SeatLook): Promise<Page> {
  const width = look.width ?? 1440;
  const seat = seats.find((each) => !each.isTaken && each.width === width) ?? (await addSeat(browser, width));
  seat.isTaken = true;
  seat.expects = look.expects;
  await seat.page.emulateMedia({ colorScheme: look.theme ?? "light" });
  await giveCookies(seat.page.context(), look);
  return seat.page;
}

/** Opens every hall of the tests to this window as to its person. */
export async function giveCookies(context: BrowserContext, { person }: SeatLook): Promise<void> {
  if (person !== false) await context.addCookies(personCookies());
}

async function addSeat(browser: Browser, width: 1440 | 390): Promise<Seat> {
  const context = await browser.newContext(contextOf({ width }));
  const seat: Seat = { page: await context.newPage(), width, isTaken: false, expects: undefined };
  attend(seat);
  seats.push(seat);
  return seat;
}

function attend(seat: Seat): void {
  watch(seat.page, (trouble) => seat.expects?.test(trouble) === true);
  keepInSight(seat.page);
}

/** After a test. What it may have broken is not handed on. */
export async function leaveSeats({ isBroken }: { isBroken: boolean }): Promise<void> {
  const taken = seats.filter(({ isTaken }) => isTaken);
  await Promise.all(taken.map((seat) => (isBroken ? giveUp(seat) : tidy(seat).catch(() => giveUp(seat)))));
}

async function tidy(seat: Seat): Promise<void> {
  const { page } = seat;
  const context = page.context();
  seat.expects = /./;
  for (const event of heard) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // It stays with its hall, where nothing happens: for a page elsewhere the browser would begin anew.
  await page.goto(new URL("/icon.svg", page.url()).href);
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.clearCookies();
  await page.setViewportSize(sizes[seat.width]);
  await page.mouse.move(-1, -1);
  attend(seat);
  seat.isTaken = false;
}

/** What tests listen to, and we. */
const heard = ["console", "pageerror", "request", "requestfinished", "requestfailed", "response", "dialog", "download"];

async function giveUp(seat: Seat): Promise<void> {
  seats.splice(seats.indexOf(seat), 1);
  await seat.page.context().close();
}
