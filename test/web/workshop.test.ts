import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import type { Script } from "../../src/scripted-model/script.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, isAlive, setVisibility, startBrowser } from "./browser.ts";
import type { TestBrowser, TestWindow } from "./browser.ts";
import { putGateMember } from "./gate-member.fixture.ts";
import type { Gates } from "./gate-member.fixture.ts";
import { holdOnce } from "./held-answers.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { areConnected } from "./roster-stage.ts";
import { isIdle, send } from "./session-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let gates: Gates;
let window: TestWindow;
let page: Page;

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
  // A message whose turn has come is no longer there to be taken back.
  window = await browser.window({ lasts: true, expects: /^console .* 404 |^response 404: .*\/queue\// });
  await window.context.grantPermissions(["notifications"]);
  await window.context.addInitScript(rememberNotifications);
  page = await window.tab(hall.url);
  return () => model.close();
});

const talk = () => page.getByRole("log");
const queue = () => page.getByRole("region", { name: /wait/ });
const field = () => page.getByRole("textbox", { name: "Message" });

describe("a message to a session that is busy", () => {
  it("waits right behind the one that is on its way, can be taken back, and is sent after the answer, also where its turn came while somebody reached for it (REQ-GH1-14, REQ-GH1-16)", async () => {
    const id = await open("Queueing");
    const first = await holdNextMessage();
    await send(page, "the first gate");
    await field().press("Enter");
    await field().press("End");
    await field().pressSequentially(" more");
    await field().press("Enter");
    first.letGo();
    await queue().getByText("more", { exact: true }).waitFor();
    await expect.poll(() => field().inputValue()).toBe("");
    expect(await questions()).toEqual(["the first gate"]);

    const next = await holdNextMessage();
    await field().fill("not after all");
    await page.getByRole("button", { name: /^Queue/ }).click();
    await send(page, "hello");
    next.letGo();
    await queue().getByText("hello").waitFor();
    await expect.poll(() => field().inputValue()).toBe("");
    expect(await queue().innerText()).toMatch(/more.*not after all.*hello/s);

    await takeBack("more");
    await queue().getByText("more", { exact: true }).waitFor({ state: "detached" });
    await takeBack("not after all");
    await queue().getByText("not after all").waitFor({ state: "detached" });
    // Nothing that the hall tells reaches this tab any more: what it shows is as old as that.
    await page.route("**/queue", (route) => route.abort("aborted"));
    await gates.open("the first gate");
    await expect.poll(async () => (await hall.client.sessions.queue.list(id)).messages).toEqual([]);
    await takeBack("hello");

    await talk().getByText("Said.").nth(1).waitFor();
    await isIdle(page);
    expect(await questions()).toEqual(["the first gate", "hello"]);
    expect(await page.getByText("This session was deleted.").count()).toBe(0);
    await page.unroute("**/queue");

    await send(page, "the second gate");
    await talk().getByText("I wait for it.").nth(1).waitFor();
    await send(page, "hello");
    await queue().getByText("hello").waitFor();
    await gates.open("the second gate");
    await queue().waitFor({ state: "detached" });
    await isIdle(page);
  });

  it("is not there as if unsent where somebody left before the hall had answered", async () => {
    const id = await open("Left behind");
    const held = await holdNextMessage();
    await send(page, "hello");
    await goTo(page, `${hall.url}/settings`);
    const isAnswered = page.waitForResponse("**/messages");
    held.letGo();
    await isAnswered;

    await goTo(page, `${hall.url}/sessions/${id}`);
    await talk().getByText("Said.").waitFor();

    expect(await questions()).toEqual(["hello"]);
    expect(await field().inputValue()).toBe("");
  });

  it("is held back by a stop until the person lets it go (REQ-GH1-17)", async () => {
    await open("Holding");
    await send(page, "go on forever");
    await talk().getByText("It begins").waitFor();
    await send(page, "hello");
    await queue().getByText("hello").waitFor();
    expect(await outOfOrder(page, "workshop-queue", { looks: lightDarkSmall })).toEqual([]);

    await page.keyboard.press("Escape");
    await page.getByText("Held back after the last answer broke off.").waitFor();
    expect(await outOfOrder(page, "workshop-held", { looks: lightDarkSmall })).toEqual([]);
    await page.getByRole("button", { name: "Send now" }).click();

    await queue().waitFor({ state: "detached" });
    await talk().getByText("Said.").waitFor();
    await isIdle(page);
  });
});

describe("a session that changes elsewhere", () => {
  it("shows its new name and limits without a reload (REQ-GH1-16)", async () => {
    const id = await open("Before");

    await hall.client.sessions.change(id, { name: "After", limits: { maxCostUsd: 7 } });

    await page.getByRole("heading", { level: 1, name: "After" }).waitFor();
    await expect.poll(() => page.getByRole("complementary", { name: "Session" }).innerText()).toContain("of $7.00");
  });
});

describe("a session nobody named", () => {
  it("is in the title where it was stopped unseen before any answer; then there is nothing to go on with, its message can be sent again, and it takes a name from it only when told to (REQ-GH1-17)", async () => {
    const id = await open("Untitled");
    await send(page, "please tell me in silence");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await setVisibility(page, "hidden");

    await hall.client.sessions.stop(id);
    await expect.poll(() => page.title()).toMatch(/^Stopped: Untitled/);
    await setVisibility(page, "visible");

    await page.getByRole("button", { name: "Send it again" }).waitFor();
    expect(await page.getByRole("button", { name: "Continue" }).count()).toBe(0);
    await page.getByText("Call it Tell me in silence?").waitFor();
    expect(await outOfOrder(page, "workshop-suggested-name")).toEqual([]);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Untitled");
    await page.getByRole("button", { name: "Use this name" }).click();
    await page.getByRole("heading", { level: 1, name: "Tell me in silence" }).waitFor();
    await page.getByText("Call it").waitFor({ state: "detached" });
  });
});

describe("a run that is not looked at", () => {
  it("is in the title while it runs, also where the tab was left before the hall had answered, and when it has ended unseen, and told by the browser where the person wanted it", async () => {
    const id = await open("Told");
    await page.getByRole("button", { name: "Tell me when a run ends" }).click();
    const isLeft = Promise.withResolvers<void>();
    const answers = new RegExp(`/api/sessions/${id}(/messages)?(\\?.*)?$`);
    await page.route(answers, async (route) => {
      const response = await route.fetch();
      await isLeft.promise;
      await route.fulfill({ response });
    });

    await send(page, "the third gate");
    await expect.poll(async () => (await hall.client.sessions.get(id)).session.status).toBe("running");
    // What the hall tells of the beginning, it tells while the tab is still in sight.
    for await (const { event } of hall.client.sessions.events(id)) if (event.event === "text") break;
    await setVisibility(page, "hidden");
    isLeft.resolve();
    await expect.poll(() => page.title()).toMatch(/^Running: Told/);
    await page.unroute(answers);
    await setVisibility(page, "visible");
    await talk().getByText("I wait for it.").waitFor();
    expect(await page.title()).toMatch(/^Running: Told/);
    await setVisibility(page, "hidden");
    await gates.open("the third gate");

    await expect.poll(() => page.title()).toMatch(/^Done: Told/);
    await expect.poll(() => page.evaluate<string[]>("window.told")).toEqual(["Told: The answer is complete."]);
    await setVisibility(page, "visible");
    await expect.poll(() => page.title()).toMatch(/^Told/);
  });

  it("is in the title when it has ended while the stream of the hall was in no tab's hands", async () => {
    const id = await open("Told late");
    const left = await window.tab(page.url());
    await isAlive(left);
    await send(left, "the fourth gate");
    await left.getByRole("log").getByText("I wait for it.").waitFor();
    await setVisibility(left, "hidden");
    const takingOver = await holdOnce(left, "**/api/events", (route) => route.continue());
    await page.goto(`${hall.url}/icon.svg`);
    await takingOver.isAsked;

    await gates.open("the fourth gate");
    await expect.poll(async () => (await hall.client.sessions.get(id)).session.status).not.toBe("running");
    takingOver.letGo();

    await expect.poll(() => left.title()).toMatch(/^Done: Told late/);
    await left.close();
  });
});

async function open(name: string): Promise<SessionId> {
  const { id } = await hall.client.sessions.create({ name, members: ["gate"] });
  await goTo(page, `${hall.url}/sessions/${id}`);
  return id;
}

/** Until it is let go, the next message is on its way. */
const holdNextMessage = () => holdOnce(page, "**/messages", (route) => route.continue());

const takeBack = (text: string): Promise<void> =>
  queue().getByRole("listitem").filter({ hasText: text }).getByRole("button", { name: "Remove from the queue" }).click();

const questions = (): Promise<string[]> =>
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
