import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, isAlive, startBrowser } from "./browser.ts";
import { holdAnswers } from "./held-answers.ts";
import { everyLook, lightDarkSmall, outOfOrder } from "./looks.ts";
import { minutesAgo, storeSessions } from "./stored-sessions.ts";
import type { StoredSession } from "./stored-sessions.ts";

/** Led from test to test. */
let page: Page;
/** Tests that need a Board with nothing on it come last. */
let hall: Hall;

const stored: StoredSession[] = [
  {
    name: "Release 2.14 checklist",
    lastActivityAt: minutesAgo(40),
    members: ["git", "github"],
    costUsd: 0.31,
    preview: "The changelog is ready. Two items still need an owner before the tag.",
    says: ["What is left?", "The changelog is ready. Two items still need an owner before the tag."],
  },
  {
    name: "Docs information architecture",
    lastActivityAt: minutesAgo(125),
    members: ["files", "search"],
    costUsd: 0.88,
    preview: "Proposed five top-level sections instead of nine; redirects are listed in context.md.",
    says: [
      ...Array.from({ length: 10 }, (_, at) => `Before, line ${at}.`),
      "Where should the Wasserzeichen go?",
      ...Array.from({ length: 60 }, (_, at) => `Afterwards, line ${at}.`),
    ],
  },
  {
    name: "Flaky login test",
    lastActivityAt: minutesAgo(190),
    error: { code: "model_overloaded", message: "The model is overloaded. Your message is kept; send it again in a while." },
    members: ["browser"],
  },
  {
    name: "Retry budget, three options",
    lastActivityAt: minutesAgo(1500),
    status: "completed",
    preview: "Option B chosen.",
    costUsd: 1.47,
  },
  { name: "Schema drift, staging", lastActivityAt: minutesAgo(1600), preview: "Staging is three migrations behind." },
  { name: "Pricing page copy", lastActivityAt: minutesAgo(3000), status: "completed", preview: "Final copy is in artifacts." },
  { name: "On-call handover, week 45", lastActivityAt: minutesAgo(4400), status: "expired", members: ["a", "b", "c", "d", "e", "f", "g"] },
];

beforeAll(async () => {
  const prepare = (home: string) => storeSessions(home, stored);
  const [browser, shared] = await Promise.all([startBrowser(), startSharedHall({ bundled: "example", waiting: false, prepare })]);
  hall = shared;
  page = await browser.open(hall.url, { lasts: true });
});

describe("the Board", () => {
  it("has a card for each session with its name, status, members, age and messages, the latest first, which opens its Workshop (REQ-GH1-10, REQ-GH1-11, REQ-GH1-12)", async () => {
    await isAlive(page);

    expect(await names(page)).toEqual(stored.map(({ name }) => name));
    expect(await outOfOrder(page, "board", { looks: everyLook })).toEqual([]);
    const card = cardOf(page, "Release 2.14 checklist");
    expect(await card.innerText()).toMatch(/Idle[\s\S]*40 min[\s\S]*Two items still need an owner[\s\S]*2 messages[\s\S]*\$0\.31/);
    for (const member of ["git", "github"]) expect(await card.getByRole("img", { name: `${member}, member`, exact: true }).count()).toBe(1);
    expect(await cardOf(page, "On-call handover").innerText()).toMatch(/Expired[\s\S]*3 days[\s\S]*\+5/);
    await card.click();

    await page.getByRole("heading", { level: 1, name: "Release 2.14 checklist" }).waitFor();
    expect(page.url()).toMatch(/\/sessions\/ses_/);
  });

  it("shows those of a status, counts them as their cards say, and keeps the choice in the address", async () => {
    await openBoard();

    await filter(page).getByRole("button", { name: "Ended 3" }).click();
    await expect.poll(() => names(page)).toEqual(["Retry budget, three options", "Pricing page copy", "On-call handover, week 45"]);
    expect(await outOfOrder(page, "board-ended", { looks: lightDarkSmall })).toEqual([]);
    await page.getByRole("group", { name: "How they ended" }).getByRole("button", { name: "Expired 1" }).click();
    await expect.poll(() => names(page)).toEqual(["On-call handover, week 45"]);
    await page.reload();

    expect(await names(page)).toEqual(["On-call handover, week 45"]);
    expect(new URL(page.url()).search).toBe("?show=expired");
    await isAlive(page);
    await filter(page).getByRole("button", { name: "Running 0" }).click();
    await page.getByRole("heading", { name: "No session is running" }).waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => names(page)).toHaveLength(stored.length);
    // One that failed is not idle, and can be looked for.
    await filter(page).getByRole("button", { name: "Idle 3" }).click();
    await expect.poll(() => names(page)).toEqual(["Release 2.14 checklist", "Docs information architecture", "Schema drift, staging"]);
    await filter(page).getByRole("button", { name: "Failed 1" }).click();

    await expect.poll(() => names(page)).toEqual(["Flaky login test"]);
    expect(new URL(page.url()).search).toBe("?show=failed");
    expect(await cardOf(page, "Flaky login test").innerText()).toContain("Failed");
  });

  it("has cards that arrows move among, up to the search and back", async () => {
    await openBoard();
    const focused = () =>
      page.evaluate<string>("document.activeElement.querySelector('h3')?.textContent ?? document.activeElement.tagName");
    const [first = "", second = "", third = "", fourth = ""] = await names(page);

    await page.keyboard.press("/");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(first);
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe(second);
    // Three cards stand in a row.
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(fourth);
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toBe(third);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe((await names(page)).at(-1));
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");

    expect(await focused()).toBe("INPUT");
  });

  it("finds sessions by what was said in them, shows where and leads there, from the keyboard", async () => {
    await openBoard();

    await page.keyboard.press("/");
    await page.keyboard.insertText("wasserzeichen");
    await page.getByText("1 session found").waitFor();

    expect(await names(page)).toEqual(["Docs information architecture"]);
    await expect.poll(() => page.locator("mark").allInnerTexts()).toEqual(["Wasserzeichen"]);
    await expect.poll(() => new URL(page.url()).search).toBe("?q=wasserzeichen");
    expect(await outOfOrder(page, "board-found", { looks: lightDarkSmall })).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Docs information architecture" }).waitFor();
    await expect.poll(() => isInSight(page, "Where should the Wasserzeichen go?")).toBe(true);
    await page.goBack();
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("wasserzeichen");
    await expect.poll(() => names(page)).toEqual(["Docs information architecture"]);
  });

  it("loses no key that is pressed before what was found so far is drawn", async () => {
    await openBoard();
    await page.evaluate(pressAtOnce);

    // At once: on a busy machine the search would begin between two keys.
    await page.getByRole("searchbox").fill("wasserz");

    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("wasserze");
    await expect.poll(() => new URL(page.url()).search).toBe("?q=wasserze");
  });

  it("marks what was found in names, and says it when nothing was", async () => {
    await openBoard();

    await page.getByRole("searchbox").fill("page COPY");
    await page.getByText("1 session found").waitFor();
    expect(await page.locator("mark").allInnerTexts()).toEqual(["page", "copy"]);
    await page.getByRole("searchbox").fill("nobody said this");
    await page.getByRole("heading", { name: "Nothing matches “nobody said this”" }).waitFor();
    expect(await outOfOrder(page, "board-nothing", { looks: lightDarkSmall })).toEqual([]);
    await page.getByRole("searchbox").press("Escape");

    await expect.poll(() => names(page)).toHaveLength(stored.length);
  });

  it("finds by the words of a message in the palette too", async () => {
    await openBoard();

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run a command" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.insertText("wasserzeichen");

    const option = page.getByRole("option", { name: /Docs information architecture/ });
    await option.waitFor();
    expect(await option.innerText()).toContain("Where should the Wasserzeichen go?");
    await option.click();
    await page.getByRole("heading", { level: 1, name: "Docs information architecture" }).waitFor();
    await expect.poll(() => isInSight(page, "Where should the Wasserzeichen go?")).toBe(true);
  });
});

describe("the Board while things happen", () => {
  it("shows a session that begins, runs, is renamed and deleted elsewhere, without a reload", async () => {
    await empty();
    const first = await hall.client.sessions.create({ name: "The first" });
    await openBoard();

    const second = await hall.client.sessions.create({ name: "The second" });
    await expect.poll(() => names(page)).toEqual(["The second", "The first"]);
    await hall.client.sessions.send(first.id, "long answer");
    await page.getByRole("heading", { level: 1, name: "One session is running" }).waitFor();
    await expect.poll(() => names(page)).toEqual(["The first", "The second"]);
    await hall.client.sessions.change(second.id, { name: "Renamed" });
    await expect.poll(() => names(page)).toEqual(["The first", "Renamed"]);
    await hall.client.sessions.stop(first.id);
    await hall.client.sessions.remove(second.id);

    await expect.poll(() => names(page)).toEqual(["The first"]);
    await page.getByRole("heading", { level: 1, name: "Nothing is running" }).waitFor();
    await hall.client.sessions.remove(first.id);
    await page.getByRole("heading", { name: "The hall is open" }).waitFor();
  });

  it("shows the list that was asked for last, also where an older answer comes together with it", async () => {
    await empty();
    const { id } = await hall.client.sessions.create({ name: "The first" });
    await openBoard();
    await filter(page).getByRole("button", { name: "Running 0" }).click();
    await page.getByRole("heading", { name: "No session is running" }).waitFor();
    await page.evaluate(holdAnswers);

    // The list that is shown is read again because of the news, and the other one because it is asked for.
    await hall.client.sessions.change(id, { name: "Renamed" });
    await expect.poll(() => page.evaluate("held.length")).toBe(1);
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => page.evaluate("held.length")).toBe(2);
    // Whoever asks from here on is answered at once.
    await page.evaluate("held.toReversed().forEach((giveOut) => giveOut()); held.push = (giveOut) => giveOut()");

    await expect.poll(() => names(page)).toEqual(["Renamed"]);
  });

  it("is not loaded anew where its filter changes again and again while it is drawn", async () => {
    await empty();
    const { id } = await hall.client.sessions.create({ name: "The first" });
    await openBoard();
    const loads: string[] = [];
    const onRequest = (request: Request) => void (request.isNavigationRequest() && loads.push(request.url()));
    page.on("request", onRequest);
    const held: (() => Promise<void>)[] = [];
    await page.route(/_rsc=/, (route) => void held.push(() => route.continue()));
    const choose = (name: string) => filter(page).getByRole("button", { name }).click();

    for (const name of ["Running 0", "Ended 0", "Idle 1"]) {
      await hall.client.sessions.change(id, { name: `Before ${name}` });
      await expect.poll(() => held.length).toBeGreaterThan(0);
      await choose(name);
      await filter(page).getByRole("button", { name, pressed: true }).waitFor();
      for (const drawOn of held.splice(0)) await drawOn();
    }
    await page.unroute(/_rsc=/);
    await hall.client.sessions.change(id, { name: "Renamed again" });

    await expect.poll(() => names(page)).toEqual(["Renamed again"]);
    await expect.poll(() => page.url()).toBe(`${hall.url}/?show=idle`);
    page.off("request", onRequest);
    expect(loads).toEqual([]);
  });

  it("keeps the order for somebody who has focus in it, and says that something is new", async () => {
    await empty();
    for (const name of ["Third", "Second", "First"]) await hall.client.sessions.create({ name });
    await openBoard();
    await page
      .getByRole("link", { name: /Second/ })
      .last()
      .focus();

    await hall.client.sessions.create({ name: "Newest" });
    await page.getByRole("button", { name: "Something is new above. Show it" }).waitFor();

    expect(await names(page)).toEqual(["First", "Second", "Third"]);
    expect(await page.locator(":focus").innerText()).toContain("Second");
    await page.getByRole("button", { name: "Something is new above. Show it" }).click();
    await expect.poll(() => names(page)).toEqual(["Newest", "First", "Second", "Third"]);
  });
});

describe("a new session", () => {
  it("without a name is called after its first message", async () => {
    await empty();
    await hall.client.sessions.create({ name: "The first" });
    await openBoard();

    await page.keyboard.press("n");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { level: 1, name: "New session" }).waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("Please draft the release notes for 2.15. Keep them short.");
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { level: 1, name: "Draft the release notes for 2.15" }).waitFor();
    await expect
      .poll(async () => (await hall.client.sessions.list()).sessions.map(({ name }) => name))
      .toContain("Draft the release notes for 2.15");
  });

  it("takes a name, a context, members and a limit, and starts from the keyboard (REQ-GH1-13)", async () => {
    await empty();
    await openBoard();

    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Name" }).fill("Watermark rollout");
    await page.getByRole("textbox", { name: /Cost limit/ }).fill("lots");
    await page.keyboard.press("Enter");
    await page.getByText("Write an amount in dollars").waitFor();
    expect(await page.locator(":focus").getAttribute("name")).toBe("limit");
    await page.getByRole("textbox", { name: /Cost limit/ }).fill("2.50");
    await page.getByRole("checkbox", { name: /Example/ }).check();
    await page.getByRole("textbox", { name: /Starting context/ }).fill("We replace the cursor in 2.15.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { level: 1, name: "Watermark rollout" }).waitFor();

    const { sessions } = await hall.client.sessions.list();
    expect(sessions).toMatchObject([{ name: "Watermark rollout", members: ["example"], limits: { maxCostUsd: 2.5 } }]);
    const [session] = sessions;
    if (session === undefined) throw new Error("There is one.");
    expect((await hall.client.sessions.context.read(session.id)).text).toContain("We replace the cursor in 2.15.");
  });
});

/** It comes from elsewhere, with nothing narrowed and focus nowhere. */
async function openBoard(): Promise<void> {
  if (new URL(page.url()).pathname === "/") await leave();
  await goTo(page, hall.url);
}

async function leave(): Promise<void> {
  if (page.url() !== `${hall.url}/settings`) await goTo(page, `${hall.url}/settings`);
}

async function empty(): Promise<void> {
  await leave();
  const { sessions } = hall.client;
  for (const { id, status } of (await sessions.list()).sessions) {
    if (status === "running") await sessions.stop(id);
    await sessions.remove(id);
  }
}

/** One more key comes in the very moment in which the search begins, as on a machine that is busy. */
const pressAtOnce = `{
  const { setTimeout } = window;
  const press = () => {
    const field = document.querySelector("input[type=search]");
    window.setTimeout = setTimeout;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, field.value + "e");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  window.setTimeout = (act, ms, ...more) => setTimeout(() => { act(...more); if (ms === 150) press(); }, ms);
}`;

const board = (page: Page) => page.getByRole("region", { name: "Board" });
const filter = (page: Page) => page.getByRole("group", { name: "Filter sessions" });
const cardOf = (page: Page, name: string) => board(page).getByRole("listitem").filter({ hasText: name }).getByRole("link");
const names = (page: Page): Promise<string[]> => board(page).getByRole("listitem").getByRole("heading", { level: 3 }).allInnerTexts();

/** A message is before the reader's eyes: not only drawn, but where the conversation is scrolled to. */
async function isInSight(page: Page, text: string): Promise<boolean> {
  const log = page.getByRole("log");
  const message = log.getByRole("article").filter({ hasText: text });
  if ((await message.count()) === 0) return false;
  const [place, there] = await Promise.all([log.boundingBox(), message.boundingBox()]);
  return place !== null && there !== null && there.y >= place.y && there.y < place.y + place.height;
}
