import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import type { Message } from "../../src/schema/session.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, isAlive, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { answer, distanceFromEnd, inLog, isIdle, question, send, withHistory, withMessages } from "./session-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;
let long: { id: SessionId; messages: Message[] };

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  long = await withHistory(hall, "A long talk", 10_000);
  const { context, tab } = await browser.window({ lasts: true });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await context.addInitScript(unheardScrolls);
  page = await tab(hall.url);
  await isAlive(page);
});

describe("a conversation of 10,000 messages", () => {
  it("opens at its end, draws only what is in sight, and has nothing that axe finds wrong, light and dark, wide and narrow (REQ-GH1-14)", async () => {
    await goTo(page, `${hall.url}/sessions/${long.id}`);

    await page.getByRole("log").getByText("Answer 9999", { exact: true }).waitFor();

    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(2);
    expect(await page.getByRole("article").count()).toBeLessThan(40);
    expect(await outOfOrder(page, "long-talk", { looks: lightDarkSmall })).toEqual([]);
  });

  it("is read back page by page, and what is being read stays where it is", async () => {
    const jumps: number[] = [];
    for (let step = 0; step < 30; step += 1) jumps.push(await scrollUp(page, 700));

    expect(Math.max(...jumps)).toBeLessThan(3);
    const { at, drawn } = await firstInSight(page);
    expect(at).toBeLessThan(9900);
    expect(drawn).toBeLessThan(60);
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await page.getByRole("log").getByText("Answer 9999", { exact: true }).waitFor();
    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(2);
  });

  it("keeps the question in sight while its answer is read, and leads back to it", async () => {
    const pin = page.getByRole("link", { name: "Go to the question" });

    await expect.poll(() => questionMatchesFirst(page)).toBe(true);
    await pin.click();

    await expect.poll(async () => (await firstInSight(page)).isQuestion).toBe(true);
    await pin.waitFor({ state: "detached" });
  });

  it("is opened at a message that its address names, however far back", async () => {
    const wanted = long.messages[301];
    // Otherwise an address that differs only in what it names of the page leaves the page as it is.
    await page.goto("about:blank");
    await page.goto(`${hall.url}/sessions/${long.id}#${wanted?.id}`);

    await page.getByRole("log").getByText("Answer 301", { exact: true }).waitFor();

    expect(await page.getByRole("article").filter({ hasText: "Answer 301" }).first().getAttribute("data-target")).toBe("true");
    await expect.poll(async () => (await firstInSight(page)).at).toBeGreaterThan(298);
  });
});

describe("the place in a conversation", () => {
  it("is the reader's from the first scroll on, though the page scrolled to its end before it could hear of it", async () => {
    const { id } = await withHistory(hall, "Read at once", 60);
    await page.evaluate("sessionStorage.setItem('is-deaf', 'yes')");
    await page.goto(`${hall.url}/sessions/${id}`);
    await isAlive(page);
    await page.evaluate("window.hearScrolls()");

    await inLog(page, "log.scrollTop -= 1500;");

    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    expect(await distanceFromEnd(page)).toBeGreaterThan(1000);
  });

  it("is not taken from the reader later by a link that could not be followed while the hall was away", async () => {
    const { id, messages } = await withHistory(hall, "Linked in vain", 150);
    await goTo(page, `${hall.url}/sessions/${id}`);
    await page.getByRole("log").getByText("Answer 149", { exact: true }).waitFor();
    await page.route("**/api/sessions/*?*cursor=*", (route) => route.abort("aborted"), { times: 1 });
    await page.evaluate(`location.hash = "${messages[3]?.id}"`);
    await page.getByText("The hall does not answer.").waitFor();

    await send(page, "hello");
    await page.getByRole("article").filter({ hasText: "hello" }).waitFor();
    await isIdle(page);

    await expect.poll(() => distanceFromEnd(page)).toBeLessThan(2);
    expect(await page.getByRole("article").filter({ hasText: "Answer 3" }).count()).toBe(0);
  });

  it("is the beginning after one Home, however much of it was not read yet, and after another where the hall was away (REQ-GH1-14)", async () => {
    const { id } = await withHistory(hall, "From the start", 600);
    await goTo(page, `${hall.url}/sessions/${id}`);
    await page.getByRole("log").getByText("Answer 599", { exact: true }).waitFor();

    await page.route("**/api/sessions/*?*cursor=*", (route) => route.abort("aborted"), { times: 1 });
    await page.getByRole("log").press("Home");
    await page.getByText("The hall does not answer.").waitFor();
    await page.getByText("Reading back to the beginning").waitFor({ state: "detached" });

    await page.getByRole("log").press("Home");

    await page.getByRole("log").getByText("Question 0", { exact: true }).waitFor();
    await expect.poll(async () => (await firstInSight(page)).at).toBe(0);
  });
});

describe("what was said last", () => {
  it("is edited and sent again as a new message, and the draft it displaced comes back, over a reload too (REQ-GH1-14)", async () => {
    const { id } = await hall.client.sessions.create({ name: "In other words" });
    await goTo(page, `${hall.url}/sessions/${id}`);
    const field = page.getByRole("textbox", { name: "Message" });
    await send(page, "hello");
    await isIdle(page);
    await field.fill("half a thought");

    await page.getByRole("button", { name: "Edit and send again" }).click();
    await expect.poll(() => field.inputValue()).toBe("hello");
    await page.reload();
    await isAlive(page);
    await page.getByText("This is sent as a new message.").waitFor();
    await send(page, "hello once more");
    await page.getByRole("article").filter({ hasText: "hello once more" }).waitFor();

    await expect.poll(() => field.inputValue()).toBe("half a thought");
    await isIdle(page);
    const { messages } = await hall.client.sessions.get(id);
    expect(messages.filter(({ role }) => role === "user").length).toBe(2);
  });

  it("and every code and result in it can be copied", async () => {
    const text = "Here it is:\n\n```js\nlet a = 1;\n```\n\nThat is all.";
    const id = await withMessages(hall, "To take along", [question("code"), answer({ type: "text", text })]);
    await goTo(page, `${hall.url}/sessions/${id}`);

    await page.getByRole("button", { name: "Copy code" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const code = await page.evaluate<string>("navigator.clipboard.readText()");
    await page.getByRole("button", { name: "Copy answer" }).click();
    await expect.poll(() => page.evaluate<string>("navigator.clipboard.readText()")).toBe(text);

    expect(code).toBe("let a = 1;");
  });
});

/** A page that takes long to come alive misses the scroll events before that. */
const unheardScrolls = `if (location.protocol === "http:" && sessionStorage.getItem("is-deaf") !== null) {
  sessionStorage.removeItem("is-deaf");
  const swallow = (event) => event.stopImmediatePropagation();
  window.addEventListener("scroll", swallow, true);
  window.hearScrolls = () => new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.removeEventListener("scroll", swallow, true)))));
}`;

/** Scrolls, lets the page settle, and answers how far what was in sight is from where it should be now. */
const scrollUp = (page: Page, px: number): Promise<number> =>
  inLog(
    page,
    `const frames = async (count) => {
      for (let frame = 0; frame < count; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    };
    const top = log.getBoundingClientRect().top;
    log.scrollTop -= ${px};
    await frames(2);
    const watched = [...log.querySelectorAll("article")].find((article) => article.getBoundingClientRect().bottom > top + 100);
    const before = watched?.getBoundingClientRect().top ?? 0;
    await frames(6);
    return watched?.isConnected === true ? Math.abs(watched.getBoundingClientRect().top - before) : 0;`,
  );

/** The first message in sight, by its number in the history. */
const firstInSight = (page: Page): Promise<{ at: number; isQuestion: boolean; drawn: number }> =>
  inLog(
    page,
    `const articles = [...log.querySelectorAll("article")];
    const top = log.getBoundingClientRect().top + 56;
    const text = articles.find((article) => article.getBoundingClientRect().bottom > top)?.textContent ?? "";
    return { at: Number(/(?:Question|Answer) (\\d+)/.exec(text)?.[1]), isQuestion: text.includes("Question"), drawn: articles.length };`,
  );

/** Goes up until an answer is at the top, and answers whether its question stands above it. */
async function questionMatchesFirst(page: Page): Promise<boolean> {
  const { at, isQuestion } = await firstInSight(page);
  const pinned = page.getByRole("link", { name: "Go to the question" });
  if (!isQuestion && (await pinned.count()) === 1) return (await pinned.innerText()).includes(`Question ${at - 1}`);
  await inLog(page, "log.scrollTop -= 40;");
  return false;
}
