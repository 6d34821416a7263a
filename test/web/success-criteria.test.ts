import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { createLayout } from "../../src/adapters/files/layout.ts";
import { SessionId, newSessionId } from "../../src/schema/ids.ts";
import type { Script } from "../../src/scripted-model/script.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { RecordedRequest, ScriptedModel } from "../../src/scripted-model/server.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HostedHall } from "../running-hall.ts";
import { goTo, isAlive, setLook, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { putGateMember } from "./gate-member.fixture.ts";
import type { Gates } from "./gate-member.fixture.ts";
import { putListingMember } from "./listing-member.fixture.ts";
import { outOfOrder } from "./looks.ts";
import { areConnected, memberRow } from "./roster-stage.ts";
import { isIdle, send } from "./session-stage.ts";
import { minutesAgo, storeSessions } from "./stored-sessions.ts";

let browser: TestBrowser;
let model: ScriptedModel;
let hall: HostedHall;
let gates: Gates;
/** One for all: who stays in the hall goes from page to page. */
let page: Page;

const context = (section: string, content: string, mode: "replace" | "append" = "replace") => ({
  name: "mcp__guild_hall__update_context",
  input: { section, content, mode },
});

const script: Script = {
  name: "success criteria",
  turns: [
    {
      when: { userContains: "look into it", step: 1 },
      reply: { text: "First I look.", tools: [{ name: "mcp__gate__wait", input: { gate: "{{user}}" } }] },
    },
    { when: { userContains: "look into it" }, reply: { text: "Then I say what I saw." } },
    { when: { userContains: "forever" }, reply: { text: "It begins, and nothing follows.", fault: { how: "stall", afterChunks: 1 } } },
    {
      when: { userContains: "plan the survey", step: 1 },
      reply: { tools: [context("goal", "Survey the harbour before winter."), context("in_progress", "- Measure the depth at the pier.")] },
    },
    {
      when: { userContains: "it is 6 m", step: 1 },
      reply: { tools: [context("decisions", "- No dredging: the pier has 6 m.", "append"), context("in_progress", "")] },
    },
    { reply: { text: "Noted." } },
  ],
};

/** The SDK has never heard of it, as after a year. */
const longAgo = newSessionId();

const models = () => ({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "sk-ant-test" });

beforeAll(async () => {
  model = await startScriptedModel({ script });
  const prepare = async (home: string) => {
    gates = await putGateMember(home);
    await storeSessions(home, [
      { name: "From last week", status: "idle", lastActivityAt: minutesAgo(9000), says: ["a question", "an answer"] },
      { id: longAgo, name: "Long ago", lastActivityAt: minutesAgo(90_000), says: ["which boat?", "Noted."] },
    ]);
    await writeFile(createLayout(home).session(longAgo).context, "# Long ago\n\n## Decisions\n\n- Use the small boat.\n");
  };
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: "example", waiting: false, env: models(), prepare })]);
  await areConnected(hall, "example", "gate");
  page = await browser.open(hall.url, { lasts: true });
  await isAlive(page);
  return () => model.close();
});

const background = { light: "rgb(245, 244, 239)", dark: "rgb(21, 19, 16)" } as const;

describe("a person in a hall that is light or dark", () => {
  it("sees the Roster and the Board, both as they lie on the disk (GH1-SC-1, REQ-GH1-5, REQ-GH1-6, REQ-GH1-10, REQ-GH1-11)", async () => {
    const board = page.getByRole("region", { name: "Board" });

    await memberRow(page.getByRole("region", { name: "Roster" }), "Gate")
      .getByText("Connected")
      .waitFor();

    expect(await board.getByRole("link", { name: /From last week/ }).innerText()).toMatch(/Idle\s+6 d\D*From last week\s+.*2 messages/s);
    await hasBothThemes();
  });

  it("creates a session, selects its members and enters the Workshop (GH1-SC-2, REQ-GH1-12, REQ-GH1-13, REQ-GH1-18, REQ-GH1-20)", async () => {
    await page.getByRole("button", { name: "New session" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New session" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Harbour survey");
    await dialog.getByRole("checkbox", { name: /Gate/ }).check();
    await dialog.getByRole("button", { name: "Start session" }).click();
    await page.getByRole("heading", { level: 1, name: "Harbour survey" }).waitFor();

    const own = page.getByRole("complementary", { name: "Session" }).getByRole("region", { name: "Members" });
    expect(await own.locator("summary").allInnerTexts()).toEqual([expect.stringMatching(/Gate\s+1 tool\s+Connected/)]);
    const record = JSON.parse(await readFile(join(sessionFolder(), "session.json"), "utf8")) as unknown;
    expect(record).toMatchObject({
      name: "Harbour survey",
      members: ["gate"],
      sdkSessionId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    });
  });

  it("sends a message, and sees text and tools of the answer as they happen (GH1-SC-3, REQ-GH1-2, REQ-GH1-3, REQ-GH1-15, REQ-GH1-16)", async () => {
    const log = page.getByRole("log");

    await send(page, "look into it");
    await log.getByText("First I look.").waitFor();
    await log.locator("summary", { hasText: "wait" }).getByText("Running").waitFor();
    expect(await log.innerText()).not.toContain("Then I say what I saw.");
    await gates.open("look into it");
    await log.getByText("Then I say what I saw.").waitFor();

    await isIdle(page);
    expect(await log.innerText()).toMatch(/First I look\..*wait.*Done.*Then I say what I saw\./s);
    await hasBothThemes();
  });

  it("leaves, comes back over the Board, and sees all of what was said (GH1-SC-5, REQ-GH1-12, REQ-GH1-14)", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Hall", exact: true }).click();
    const card = page.getByRole("region", { name: "Board" }).getByRole("link", { name: /Harbour survey/ });
    await card.getByText("3 messages").waitFor();
    await card.click();
    await page.getByRole("heading", { level: 1, name: "Harbour survey" }).waitFor();

    const said = page.getByRole("article").getByRole("paragraph");
    await said.getByText("Then I say what I saw.").waitFor();
    expect(await said.allInnerTexts()).toEqual(["look into it", "First I look.", "Then I say what I saw."]);
  });

  it("goes on with what the model remembers, stops it in the middle of an answer, and the stream ends (GH1-SC-4, GH1-SC-5, REQ-GH1-17, REQ-GH1-21, REQ-GH1-23)", async () => {
    const asked = requestOf("forever");
    await send(page, "go on forever");
    await page.getByRole("log").getByText("It begins").waitFor();
    const isOver = streamEnd();

    await page.getByRole("button", { name: "Stop" }).click();

    await page.getByRole("log").getByText("Stopped.").waitFor();
    await isOver;
    expect((await asked).conversation.userTexts).toEqual(["look into it", "go on forever"]);
    expect(await (await asked).ended).toBe("abandoned");
    expect((await hall.client.sessions.get(idOf())).session).toMatchObject({ status: "idle", error: { code: "stopped" } });
    expect(await page.getByRole("log").getByText("It begins").count()).toBe(1);
    await hasBothThemes();
  });

  it("runs a tool straight from the Roster, without a session (GH1-SC-6, REQ-GH1-7, REQ-GH1-8, REQ-GH1-9, REQ-GH1-29)", async () => {
    await goTo(page, `${hall.url}/`);
    const roster = page.getByRole("region", { name: "Roster" });
    const before = (await hall.client.sessions.list()).sessions.length;

    await memberRow(roster, "Example").click();
    await roster.getByRole("link", { name: /^divide/ }).click();
    await page
      .getByRole("spinbutton", { name: /Dividend/ })
      .or(page.getByRole("textbox", { name: /Dividend/ }))
      .fill("22");
    await page
      .getByRole("spinbutton", { name: /Divisor/ })
      .or(page.getByRole("textbox", { name: /Divisor/ }))
      .fill("8");
    await page.getByRole("button", { name: "Run tool" }).click();

    await page.getByRole("region", { name: "Result", exact: true }).getByText("2.75").waitFor();
    expect((await hall.client.sessions.list()).sessions.length).toBe(before);
    await hasBothThemes();
  });

  it("reads in the context file how the work stands, and so does the agent (GH1-SC-10, REQ-GH1-19, REQ-GH1-30, REQ-GH1-31, REQ-GH1-32, REQ-GH1-34)", async () => {
    const { id } = await hall.client.sessions.create({ name: "Harbour" });
    await goTo(page, `${hall.url}/sessions/${id}`);
    const file = join(sessionFolder(), "context.md");
    const field = page.getByRole("textbox", { name: "context.md" });

    await send(page, "plan the survey");
    await page.getByRole("log").getByText("Noted.").waitFor();
    await expect.poll(() => field.inputValue()).toContain("## In progress\n\n- Measure the depth at the pier.");
    await isIdle(page);
    await writeFile(file, `${await readFile(file, "utf8")}\nThe chart of 1911.\n`);
    await expect.poll(() => field.inputValue()).toContain("The chart of 1911.");
    const next = requestOf("it is 6 m");
    await send(page, "I measured: it is 6 m");
    expect((await next).conversation.system).toContain("The chart of 1911.");
    await page.getByRole("log").getByText("Noted.").nth(1).waitFor();

    await isIdle(page);
    const stands =
      "# Harbour\n\n## Goal\n\nSurvey the harbour before winter.\n\n## Decisions\n\n- No dredging: the pier has 6 m.\n\n## In progress\n\n## Resources\n\nThe chart of 1911.\n";
    expect(await readFile(file, "utf8")).toBe(stands);
    await expect.poll(() => field.inputValue()).toBe(stands);
    await hasBothThemes();
  });
});

describe("a person in a hall that was closed and is open again", () => {
  beforeAll(async () => {
    // A page without its hall is in trouble.
    await page.goto("about:blank");
    await hall.close();

    const tools = [{ name: "greet", description: "Says hello" }];
    await putListingMember(hall.home, "newcomer", { displayName: "Newcomer", tools });
    await mkdir(join(hall.home, "guild-members", "crooked"));
    await writeFile(join(hall.home, "guild-members", "crooked", "guild-member.json"), '{ "name": "crooked", "version": 1 }');
    const again = await startSharedHall({ home: hall.home, bundled: "example", waiting: false, env: models() });
    await page.goto(again.url);
    await isAlive(page);
  });

  it("puts a member into the folder, and finds it in the Roster after a restart; one with a bad manifest is a card that says so, in a hall that works (GH1-SC-7, GH1-SC-8, REQ-GH1-5, REQ-GH1-24, REQ-GH1-25, REQ-GH1-26)", async () => {
    const roster = page.getByRole("region", { name: "Roster" });

    await memberRow(roster, "Newcomer").getByText("Connected").waitFor();
    await memberRow(roster, "crooked").getByText("Error").waitFor();
    await memberRow(roster, "Example").getByText("Connected").waitFor();
    expect(await memberRow(roster, "Newcomer").innerText()).toMatch(/Newcomer\s+A member of a test\.\s+Connected\s+1 tool/);
    await memberRow(roster, "crooked").click();
    expect(await roster.innerText()).toContain("displayName");
    expect(await outOfOrder(page, "roster-crooked")).toEqual([]);
  });

  it("is told when the model has forgotten a session, and starts afresh with its history and context (GH1-SC-9, REQ-GH1-22, REQ-GH1-33)", async () => {
    await page
      .getByRole("link", { name: /Long ago/ })
      .last()
      .click();
    await page.getByRole("heading", { level: 1, name: "Long ago" }).waitFor();

    await send(page, "and when?");
    await page.getByText("Expired", { exact: true }).first().waitFor();
    await hasBothThemes();
    await page.getByRole("button", { name: "Renew" }).first().click();
    await page.getByText("The session is renewed.").waitFor();
    const fresh = requestOf("and when?");
    await page.getByRole("button", { name: "Send it again" }).click();
    const { conversation } = await fresh;

    await page.getByRole("log").getByText("Noted.").nth(1).waitFor();
    expect(await page.getByRole("log").innerText()).toContain("which boat?");
    expect(await page.getByRole("textbox", { name: "context.md" }).inputValue()).toContain("- Use the small boat.");
    expect(conversation.system).toContain("- Use the small boat.");
    expect(conversation.system).toContain("which boat?");
  });
});

/** Whether anything is out of order in them is looked at where each of these pages is tested. */
async function hasBothThemes(): Promise<void> {
  for (const theme of ["dark", "light"] as const) {
    await setLook(page, { theme });
    expect(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")).toBe(background[theme]);
  }
}

/** The first answer to a message: what the model was shown with it. */
const requestOf = (text: string): Promise<RecordedRequest> =>
  model.waitForRequest(({ conversation: { userTexts } }) => userTexts.at(-1)?.includes(text) === true);

/** Whichever side closes it. */
function streamEnd(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (request: Request) => /\/sessions\/.*\/events$/.test(request.url()) && resolve();
  page.on("requestfinished", look);
  page.on("requestfailed", look);
  return promise;
}

const idOf = (): SessionId => SessionId.parse(page.url().split("/").at(-1));

const sessionFolder = (): string => createLayout(hall.home).session(idOf()).folder;
