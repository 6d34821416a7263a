import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import type { Script } from "../../src/scripted-model/script.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HostedHall } from "../running-hall.ts";
import { openAlive, setVisibility, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { command } from "./by-keyboard.ts";
import { putGateMember } from "./gate-member.fixture.ts";
import type { Gates } from "./gate-member.fixture.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { areConnected } from "./roster-stage.ts";
import { openSession, send } from "./session-stage.ts";

let browser: TestBrowser;
let model: ScriptedModel;
let hall: HostedHall;
let gates: Gates;

const wait = (gate: string) => [{ name: "mcp__gate__wait", input: { gate } }];

const script: Script = {
  name: "runs that wait",
  turns: [
    { when: { userContains: "too much" }, times: 1, reply: { error: { status: 429, message: "limit reached", retryAfter: 750 } } },
    { when: { userContains: "no patience" }, times: 1, reply: { error: { status: 429, message: "limit reached", retryAfter: 750 } } },
    { when: { userContains: "walk far", step: 4 }, reply: { tools: wait("far") } },
    { when: { userContains: "walk" }, reply: { tools: wait("open") } },
    { when: { userContains: "hold the slot", step: 1 }, reply: { tools: wait("slot") } },
    { when: { userContains: "be told", step: 1 }, reply: { text: "I look.", tools: wait("first") } },
    { when: { userContains: "be told", step: 2 }, reply: { tools: wait("second") } },
    { when: { userContains: "stay", step: 1 }, reply: { tools: wait("never") } },
    { reply: { text: "Here it is." } },
  ],
};

beforeAll(async () => {
  model = await startScriptedModel({ script });
  const prepare = async (home: string) => {
    gates = await putGateMember(home);
  };
  const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "sk-ant-test" };
  // One slot, so that a second run has to wait for it.
  const hallRequest = { bundled: false, waiting: false, config: "  atOnce: 1\n", env, prepare } as const;
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall(hallRequest)]);
  await areConnected(hall, "gate");
  await gates.open("open");
  return () => model.close();
});

async function open(name: string, limits: { maxTurns?: number } = {}): Promise<{ page: Page; id: SessionId }> {
  const { id } = await hall.client.sessions.create({ name, members: ["gate"], limits });
  return { page: await openSession(browser, hall, id), id };
}

/** What waits offers to stop as well, so the button in the head is meant. */
const isIdle = (page: Page): Promise<void> => page.getByRole("button", { name: "Stop Esc" }).waitFor({ state: "detached" });

describe("a run that reached the model's usage limit", () => {
  it("counts down to the reset, says that it waits, and goes on at once if the person wants", async () => {
    const { page } = await open("Usage");

    await send(page, "too much");
    await page.getByRole("timer").waitFor();
    expect(await page.getByRole("timer").textContent()).toMatch(/^12 min( \d+ s)?$/);
    expect(await page.getByRole("banner").or(page.locator("main header")).getByText("Waiting for the usage limit").count()).toBe(1);
    await expect.poll(() => page.title()).toMatch(/^Waiting: /);
    expect(await outOfOrder(page, "waits-for-usage-limit", { looks: lightDarkSmall })).toEqual([]);
    const shown = await page.getByRole("timer").textContent();
    await expect.poll(() => page.getByRole("timer").textContent()).not.toBe(shown);
    await page.getByRole("button", { name: "Try now" }).click();

    await page.getByRole("log").getByText("Here it is.").waitFor();
    expect(await page.getByRole("timer").count()).toBe(0);
  });
});

describe("the switch in the settings", () => {
  it("has a run end at the usage limit, and is as it was left when the page is opened again", async () => {
    const { id } = await hall.client.sessions.create({ name: "Ends" });
    const settings = await openAlive(browser, `${hall.url}/settings`);
    const toggle = settings.getByRole("checkbox", { name: /Resume by itself/ });
    expect(await toggle.isChecked()).toBe(true);

    await toggle.click();
    await expect.poll(async () => (await hall.client.runs.state()).resumesAtReset).toBe(false);
    await hall.client.sessions.send(id, "no patience");
    await expect.poll(async () => (await hall.client.sessions.get(id)).session.error?.code).toBe("model_rate_limited");
    await settings.reload();

    expect(await toggle.isChecked()).toBe(false);
    await toggle.click();
    await expect.poll(async () => (await hall.client.runs.state()).resumesAtReset).toBe(true);
  });
});

describe("a run that reached a limit of its own", () => {
  it("warns before, asks in the conversation, and goes on from there when the limit is raised", async () => {
    const { page } = await open("Turns", { maxTurns: 5 });

    await send(page, "walk far");
    await page.getByRole("log").getByText("4 of 5 turns are used. At the limit it pauses and asks you.").waitFor();
    expect(await outOfOrder(page, "near-limit", { looks: lightDarkSmall })).toEqual([]);
    await setVisibility(page, "hidden");
    await gates.open("far");
    await expect.poll(() => page.title()).toMatch(/^Waits for you: /);
    await setVisibility(page, "visible");
    const field = page.getByRole("textbox", { name: "New limit for this answer" });
    await field.waitFor();
    expect(await field.inputValue()).toBe("10");
    expect(await page.getByRole("alert").getByText("It waits for you.").count()).toBe(1);
    expect(await outOfOrder(page, "paused-at-a-limit", { looks: lightDarkSmall })).toEqual([]);
    const board = await openAlive(browser, hall.url);
    await board.getByRole("link", { name: /Turns/ }).getByText("Waiting for you").waitFor();
    await field.fill("5");
    await field.press("Enter");
    await page.getByText("5 turns are used already. A limit has to be above that.").waitFor();
    await field.fill("20");
    await field.press("Enter");

    await page.getByRole("log").getByText("Here it is.").waitFor();
    await isIdle(page);
    expect(await page.getByText("Paused at a limit").count()).toBe(0);
    await board.getByRole("link", { name: /Turns/ }).getByText("Idle").waitFor();
  });

  it("ends with what there is if the person wants no more", async () => {
    const { page, id } = await open("Enough", { maxTurns: 2 });

    await send(page, "walk");
    await page.getByRole("heading", { name: /Paused at a limit/ }).waitFor();
    await command(page, "Finish with what there is");

    await isIdle(page);
    const { session } = await hall.client.sessions.get(id);
    expect(session).toMatchObject({ status: "idle", error: null });
  });
});

describe("a run that waits for its turn", () => {
  it("says so on its page and on the Board, and runs when the slot is free", async () => {
    const [first, second] = [await open("Holds"), await open("Comes after")];
    await send(first.page, "hold the slot");
    await first.page.getByRole("log").getByText("Running").waitFor();

    await send(second.page, "hello");
    await second.page.getByRole("log").getByText("Waiting for a free slot.").waitFor();
    await expect.poll(() => second.page.locator("main").locator(".turning, .caret").count()).toBe(0);
    expect(await outOfOrder(second.page, "waits-for-slot", { looks: lightDarkSmall })).toEqual([]);
    const board = await openAlive(browser, hall.url);
    await board
      .getByRole("link", { name: /Comes after/ })
      .getByText("Waiting for a slot")
      .waitFor();
    await gates.open("slot");

    await second.page.getByRole("log").getByText("Here it is.").waitFor();
    expect(await second.page.getByText("Waiting for a free slot.").count()).toBe(0);
  });

  it("waits while new runs are paused, which each page says and lets the person end", async () => {
    const { page } = await open("Paused");

    await command(page, "Pause new runs");
    await page.getByText("New runs are paused.", { exact: true }).first().waitFor();
    await send(page, "hello");
    await page.getByRole("log").getByText("Waiting until new runs are resumed.").waitFor();
    const settings = await openAlive(browser, `${hall.url}/settings`);
    await settings.getByRole("region", { name: "Runs" }).getByText("are paused").waitFor();
    expect(await outOfOrder(settings, "new-runs-paused", { looks: lightDarkSmall })).toEqual([]);
    await settings.getByRole("region", { name: "Runs" }).getByRole("button", { name: "Resume new runs" }).click();

    await page.getByRole("log").getByText("Here it is.").waitFor();
    await page.getByRole("button", { name: "Resume new runs" }).waitFor({ state: "detached" });
  });
});

describe("stopping everything", () => {
  it("asks first, and says how many runs were stopped", async () => {
    const { page, id } = await open("Stays");
    await send(page, "stay");
    await page.getByRole("log").getByText("Running").waitFor();

    await command(page, "Stop everything");
    await page.getByRole("dialog", { name: "Stop everything?" }).getByRole("button", { name: "Stop everything" }).click();

    await page.getByText("1 run was stopped.").waitFor();
    await isIdle(page);
    expect((await hall.client.sessions.get(id)).session.error?.code).toBe("stopped");
  });
});

describe("a note to an agent at work", () => {
  it("is shown as not read until the result of the next tool call, and then with the time at which it was read", async () => {
    const { page } = await open("Notes");
    await send(page, "be told");
    await page.getByRole("log").getByText("Running").waitFor();

    await page.getByRole("textbox", { name: "Message" }).fill("mind the gap");
    await page.keyboard.press("Alt+Enter");
    await page.getByRole("log").getByText("Note, not read yet").waitFor();
    expect(await page.getByRole("region", { name: /wait/ }).count()).toBe(0);
    expect(await outOfOrder(page, "note-not-read", { looks: lightDarkSmall })).toEqual([]);
    await gates.open("first");
    await gates.open("second");
    await page
      .getByRole("log")
      .getByText(/^Note, read \d\d:\d\d$/)
      .waitFor();
    expect(await page.getByText("Note, not read yet").count()).toBe(0);

    await page.getByRole("log").getByText("Here it is.").waitFor();
    await isIdle(page);
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("mind the gap");
    await page.reload();
    const said = (await page.getByRole("article").allTextContents()).join(" ");
    expect(said).toMatch(/be told.*I look\..*Note, read.*mind the gap.*Here it is\./s);
  });

  it("is sent as the next message if the answer ends before it is read", async () => {
    const { page } = await open("Late note");
    await send(page, "hold the slot");
    await page.getByRole("log").getByText("Here it is.").waitFor();
    await isIdle(page);
    await send(page, "stay");
    await page.getByRole("log").getByText("Running").waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("and then this");
    await page.getByRole("button", { name: "Send as a note" }).click();
    await page.getByRole("log").getByText("Note, not read yet").waitFor();

    await page.getByRole("button", { name: "Stop Esc" }).click();
    await page.getByRole("region", { name: "1 message waits" }).getByText("Note, not read").waitFor();
    await page.getByRole("button", { name: "Send now" }).click();

    await page.getByRole("log").getByText("and then this").waitFor();
    await isIdle(page);
    expect(await page.getByRole("log").getByText(/^Note/).count()).toBe(0);
  });
});
