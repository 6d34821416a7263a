import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { SessionId } from "../../src/schema/ids.ts";
import type { Script } from "../../src/scripted-model/script.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { isAlive, setVisibility, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { putGateMember } from "./gate-member.fixture.ts";
import type { Gates } from "./gate-member.fixture.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { areConnected } from "./roster-stage.ts";
import { isIdle, openSession, send } from "./session-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let gates: Gates;

const script: Script = {
  name: "workshop",
  turns: [
    { when: { userContains: "silence" }, reply: { text: "Nothing of this arrives.", fault: { how: "stall", afterChunks: 0 } } },
    { when: { userContains: "forever" }, reply: { text: "It begins, and nothing follows.", fault: { how: "stall", afterChunks: 1 } } },
    {
      when: { userContains: "gate", step: 1 },
      reply: { text: "I wait for it.", tools: [{ name: "mcp__gate__wait", input: { gate: "{{user}}" } }] },
    },
    { reply: { text: "Said." } },
  ],
};

beforeAll(async () => {
  const model = await startScriptedModel({ script });
  [browser, hall] = await Promise.all([
    startBrowser(),
    startSharedHall({ bundled: false, waiting: false, env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "sk-ant-test" } }),
  ]);
  gates = await putGateMember(hall.home);
  await areConnected(hall, "gate");
  return () => model.close();
});

const talk = (page: Page) => page.getByRole("log");
const queue = (page: Page) => page.getByRole("region", { name: /wait/ });

describe("a message to a session that is busy", () => {
  it("waits, can be taken back, and is sent after the answer (REQ-GH1-14, REQ-GH1-16)", async () => {
    const page = await open("Queueing");
    await send(page, "the first gate");
    await talk(page).getByText("I wait for it.").waitFor();

    await page.getByRole("textbox", { name: "Message" }).fill("not after all");
    await page.getByRole("button", { name: "Queue" }).click();
    await queue(page).getByText("not after all").waitFor();
    await send(page, "hello");
    await queue(page).getByText("hello").waitFor();
    await takeBack(page, "not after all");
    await queue(page).getByText("not after all").waitFor({ state: "detached" });
    await gates.open("the first gate");

    await queue(page).waitFor({ state: "detached" });
    await talk(page).getByText("Said.").nth(1).waitFor();
    await isIdle(page);
    expect(await questions(page)).toEqual(["the first gate", "hello"]);
  });

  it("is simply sent where its turn came while somebody reached for it (REQ-GH1-16)", async () => {
    const page = await open("Too late", /404/);
    const { id } = sessionOf(page);
    await send(page, "the second gate");
    await talk(page).getByText("I wait for it.").waitFor();
    await send(page, "hello");
    await queue(page).getByText("hello").waitFor();
    // Nothing that the hall tells reaches this tab any more: what it shows is as old as that.
    await page.route("**/queue", (route) => route.abort("aborted"));
    await gates.open("the second gate");
    await expect.poll(async () => (await hall.client.sessions.queue.list(id)).messages).toEqual([]);

    await takeBack(page, "hello");

    await talk(page).getByText("Said.").nth(1).waitFor();
    expect(await page.getByText("This session was deleted.").count()).toBe(0);
  });

  it("is held back by a stop until the person lets it go (REQ-GH1-17)", async () => {
    const page = await open("Holding");
    await send(page, "go on forever");
    await talk(page).getByText("It begins").waitFor();
    await send(page, "hello");
    await queue(page).getByText("hello").waitFor();
    expect(await outOfOrder(page, "workshop-queue", { looks: lightDarkSmall })).toEqual([]);

    await page.keyboard.press("Escape");
    await page.getByText("Held back after the last answer broke off.").waitFor();
    expect(await outOfOrder(page, "workshop-held", { looks: lightDarkSmall })).toEqual([]);
    await page.getByRole("button", { name: "Send now" }).click();

    await queue(page).waitFor({ state: "detached" });
    await talk(page).getByText("Said.").waitFor();
    await isIdle(page);
  });
});

describe("a message that is written while the one before is on its way", () => {
  it.each([
    { how: "behind it", gate: "the sixth gate", write: (field: Locator) => field.pressSequentially(" and more"), sent: "and more" },
    { how: "in its place", gate: "the seventh gate", write: (field: Locator) => field.fill("something else"), sent: "something else" },
  ])("$how waits for its turn right behind it", async ({ gate, write, sent }) => {
    const page = await open("Hasty");
    const held = Promise.withResolvers<void>();
    await page.route("**/messages", async (route) => {
      await held.promise;
      await route.continue();
    });
    const field = page.getByRole("textbox", { name: "Message" });

    await send(page, gate);
    await field.press("Enter");
    await field.press("End");
    await write(field);
    await field.press("Enter");
    held.resolve();

    await queue(page).getByText(sent, { exact: true }).waitFor();
    await expect.poll(() => field.inputValue()).toBe("");
    expect(await questions(page)).toEqual([gate]);
    // A hall that is killed in the middle of an answer leaves the agent behind.
    await hall.client.sessions.stop(sessionOf(page).id);
  });
});

describe("after trouble", () => {
  it("what was stopped before any answer can be sent again, and there is nothing to go on with (REQ-GH1-17)", async () => {
    const page = await open("Nothing came");
    await send(page, "in silence");

    await page.getByRole("button", { name: "Stop" }).click();

    await page.getByRole("button", { name: "Send it again" }).waitFor();
    expect(await page.getByRole("button", { name: "Continue" }).count()).toBe(0);
  });
});

describe("a session that changes elsewhere", () => {
  it("shows its new name and limits without a reload (REQ-GH1-16)", async () => {
    const { id } = await hall.client.sessions.create({ name: "Before" });
    const page = await openSession(browser, hall, id);

    await hall.client.sessions.change(id, { name: "After", limits: { maxCostUsd: 7 } });

    await page.getByRole("heading", { level: 1, name: "After" }).waitFor();
    await expect.poll(() => page.getByRole("complementary", { name: "Session" }).innerText()).toContain("of $7.00");
  });
});

describe("a session nobody named", () => {
  it("is offered a name from its first message, and takes it only when told to", async () => {
    const page = await open("Untitled");
    await send(page, "please tell me hello");

    await page.getByText("Call it Tell me hello?").waitFor();
    expect(await outOfOrder(page, "workshop-suggested-name")).toEqual([]);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Untitled");
    await page.getByRole("button", { name: "Use this name" }).click();

    await page.getByRole("heading", { level: 1, name: "Tell me hello" }).waitFor();
    await page.getByText("Call it").waitFor({ state: "detached" });
  });
});

describe("a run that is not looked at", () => {
  it("is in the title also where the tab was left before the hall had answered", async () => {
    const page = await open("Left at once");
    const { id } = sessionOf(page);
    const isLeft = Promise.withResolvers<void>();
    await page.route(new RegExp(`/api/sessions/${id}(/messages)?(\\?.*)?$`), async (route) => {
      const response = await route.fetch();
      await isLeft.promise;
      await route.fulfill({ response });
    });

    await send(page, "go on forever");
    await expect.poll(async () => (await hall.client.sessions.get(id)).session.status).toBe("running");
    // What the hall tells of the beginning, it tells while the tab is still in sight.
    for await (const { event } of hall.client.sessions.events(id)) if (event.event === "text") break;
    await setVisibility(page, "hidden");
    isLeft.resolve();
    await expect.poll(() => page.title()).toMatch(/^Running: Left at once/);
    await hall.client.sessions.stop(id);

    await expect.poll(() => page.title()).toMatch(/^Stopped: Left at once/);
  });

  it("is in the title while it runs and when it has ended unseen, and told by the browser where the person wanted it", async () => {
    const { id } = await hall.client.sessions.create({ name: "Told", members: ["gate"] });
    const { context, tab } = await browser.window();
    await context.grantPermissions(["notifications"]);
    await context.addInitScript(rememberNotifications);
    const page = await tab(`${hall.url}/sessions/${id}`);
    await isAlive(page);
    await page.getByRole("button", { name: "Tell me when a run ends" }).click();
    await send(page, "the third gate");
    await expect.poll(() => page.title()).toMatch(/^Running: Told/);

    await setVisibility(page, "hidden");
    await gates.open("the third gate");

    await expect.poll(() => page.title()).toMatch(/^Done: Told/);
    await expect.poll(() => page.evaluate<string[]>("window.told")).toEqual(["Told: The answer is complete."]);
    await setVisibility(page, "visible");
    await expect.poll(() => page.title()).toMatch(/^Told/);
  });
});

async function open(name: string, expects?: RegExp): Promise<Page> {
  const { id } = await hall.client.sessions.create({ name, members: ["gate"] });
  return openSession(browser, hall, id, expects === undefined ? {} : { expects });
}

const sessionOf = (page: Page): { id: SessionId } => ({ id: SessionId.parse(page.url().split("/").at(-1)) });

const takeBack = (page: Page, text: string): Promise<void> =>
  queue(page).getByRole("listitem").filter({ hasText: text }).getByRole("button", { name: "Remove from the queue" }).click();

const questions = (page: Page): Promise<string[]> =>
  page
    .getByRole("article")
    .filter({ has: page.getByRole("heading", { name: /^You/ }) })
    .getByRole("paragraph")
    .allInnerTexts();

/** A notification is drawn by the system, where no test can see it: what the page hands over is written down. */
const rememberNotifications = `window.told = [];
  window.Notification = class extends EventTarget {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) { super(); window.told.push(title + ": " + body); }
    close() {}
  };`;
