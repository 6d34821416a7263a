import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { goTo, setLook, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { putListingMember } from "./listing-member.fixture.ts";
import { areConnected, isInTrouble, memberRow, toolsAreRead } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;

beforeAll(async () => {
  const asksGit = { tools: [{ name: "mcp__git__diff", input: { text: "main" } }] };
  const model = await startScriptedModel({
    script: { name: "asks git", turns: [{ when: { step: 1 }, reply: asksGit }, { reply: { text: "The end." } }] },
  });
  [browser, hall] = await Promise.all([
    startBrowser(),
    startSharedHall({ bundled: false, waiting: false, env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "sk-ant-test" } }),
  ]);
  await putListingMember(hall.home, "git", {
    displayName: "Git",
    tools: [
      { name: "diff", description: "Compare two refs" },
      { name: "log", description: "Commits touching a path" },
    ],
  });
  await putListingMember(hall.home, "files", { displayName: "Files", tools: [{ name: "read", description: "One file" }] });
  await putMember(hall.home, "sentry", { ...playedBy("stdio", "dies"), displayName: "Sentry" });
  await areConnected(hall, "git", "files");
  await isInTrouble(hall, "sentry");
  page = await browser.blank({ lasts: true });
  return () => model.close();
});

describe("a session and its members", () => {
  it("begins with the members that were chosen for it, available or not (REQ-GH1-13, REQ-GH1-11, REQ-GH1-18)", async () => {
    await goTo(page, hall.url);

    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New session" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Watermark rollout");
    await dialog.getByRole("checkbox", { name: /Git/ }).check();
    const unavailable = dialog.getByRole("checkbox", { name: /Sentry/ });
    await unavailable.check();
    expect(await dialog.innerText()).toContain("2 chosen, 2 tools");
    expect(await dialog.locator("label", { hasText: "Sentry" }).innerText()).toMatch(/Sentry\s+.*exit code 3.*\s+Error/s);
    await dialog.getByRole("button", { name: "Start session" }).click();

    await page.getByRole("heading", { level: 1, name: "Watermark rollout" }).waitFor();
    const own = page.getByRole("complementary", { name: "Session" }).getByRole("region", { name: "Members" });
    expect(await own.locator("summary").allInnerTexts()).toEqual([
      expect.stringMatching(/Git\s+2 tools\s+Connected/),
      expect.stringMatching(/Sentry\s+0 tools\s+Error/),
    ]);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Hall", exact: true }).click();
    const card = page.getByRole("region", { name: "Board" }).getByRole("link", { name: /Watermark rollout/ });
    await card.waitFor();
    expect(await card.innerText()).toMatch(/Idle\s+now\s+Watermark rollout\s+.*0 messages/s);
    expect(await card.getByRole("img", { name: "git, member" }).count()).toBe(1);
    expect(await card.getByRole("img", { name: "sentry, member" }).count()).toBe(1);
  });

  it("has the whole Roster beside it, and a way to every tool (REQ-GH1-9)", async () => {
    await openSession(page, ["git"]);
    const side = page.getByRole("complementary", { name: "Session" });
    const roster = side.getByRole("region", { name: "Roster" });

    await toolsAreRead(page, "git", "diff");
    expect(await roster.innerText()).toContain("2 of 3 connected");
    await memberRow(roster, "Files").click();
    await roster.getByRole("link", { name: "read One file" }).click();

    await page.waitForURL(`${hall.url}/roster/files/read`);
  });

  it("says whose tools the answer can draw on, and leads from a call to its tool", async () => {
    await openSession(page, ["git", "files"]);
    await page.getByText("3 tools", { exact: true }).waitFor();

    await page.getByRole("textbox", { name: "Message" }).fill("What changed?");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("The end.").waitFor();
    const call = page.getByRole("log").locator("summary", { hasText: "diff" });
    expect(await call.getByRole("img", { name: "git, member" }).count()).toBe(1);
    await call.click();
    await page.getByRole("link", { name: "Open the tool" }).click();

    await page.waitForURL(`${hall.url}/roster/git/diff`);
  });

  it("follows its members without a reload", async () => {
    await putListingMember(hall.home, "brief", { displayName: "Brief", tools: [] });
    await areConnected(hall, "brief");
    // The page may ask for the member in the moment in which it goes.
    const leaving = await browser.blank({ expects: /404/ });
    await openSession(leaving, ["brief"]);
    const own = leaving.getByRole("complementary", { name: "Session" }).getByRole("region", { name: "Members" });
    await own.getByText("Connected").waitFor();

    await hall.client.roster.remove("brief");

    await own.getByText("No longer there").waitFor();
    expect(await own.innerText()).toContain("brief");
  });

  it("hides what is beside it, and shows it again, with one key", async () => {
    await openSession(page, ["git"]);
    const side = page.getByRole("complementary", { name: "Session" });
    await page.getByRole("heading", { level: 1 }).click();

    await page.keyboard.press("[");
    await side.waitFor({ state: "hidden" });
    await page.keyboard.press("]");

    await side.waitFor();
    expect(await page.getByRole("button", { name: "Session panel" }).getAttribute("aria-expanded")).toBe("true");
  });

  it("has them behind a tab where there is no room beside it", async () => {
    await setLook(page, { width: 390 });
    await openSession(page, ["git"]);
    const side = page.getByRole("complementary", { name: "Session" });
    expect(await side.isVisible()).toBe(false);

    await page.getByRole("group", { name: "Session parts" }).getByRole("button", { name: "Members 1" }).click();

    await side.getByText("Git", { exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "Message" }).isVisible()).toBe(false);
    await setLook(page, {});
  });
});

async function openSession(page: Page, members: string[]): Promise<void> {
  const { id } = await hall.client.sessions.create({ name: "With members", members });
  await goTo(page, `${hall.url}/sessions/${id}`);
}
