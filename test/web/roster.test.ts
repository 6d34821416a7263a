import { mkdir, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { MemberName } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { goTo, setVisibility, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { putListingMember } from "./listing-member.fixture.ts";
import { areConnected, memberRow, toolsAreRead } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;

const pliable = join(import.meta.dirname, "../server/pliable-member.fixture.ts");
const gitTools = ["diff", "log", "show", "blame", "grep", "status", "branch"].map((name) => ({
  name,
  description: `What git ${name} does`,
}));
const thousand = Array.from({ length: 1000 }, (_, at) => ({
  name: `tool_${String(at).padStart(4, "0")}`,
  description: `Number ${at}, about ${["queues", "cursors", "invoices", "clocks"][at % 4]}`,
}));

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: "example", waiting: false })]);
  await hall.client.sessions.create({ name: "Cursor migration plan" });
  await putListingMember(hall.home, "git", { displayName: "Git", description: "Branches, diffs and history", tools: gitTools });
  await putListingMember(hall.home, "many", { displayName: "Many", description: "A thousand tools", tools: thousand });
  await areConnected(hall, "example", "git", "many");
  page = await browser.blank({ lasts: true });
});

describe("the Roster", () => {
  it("shows each member with its name, description, status and number of tools, beside the Board, and opens it to its tools, each of which leads to its form (REQ-GH1-6, REQ-GH1-7, REQ-GH1-9, REQ-GH1-25)", async () => {
    await openHall();
    const roster = page.getByRole("region", { name: "Roster" });

    await memberRow(roster, "Git").getByText("Connected").waitFor();
    expect(await memberRow(roster, "Git").innerText()).toMatch(/Git\s+Branches, diffs and history\s+Connected\s+7 tools/);
    expect(await page.getByRole("region", { name: "Board" }).isVisible()).toBe(true);
    await memberRow(roster, "Git").click();
    await roster.getByRole("link", { name: "diff What git diff does" }).waitFor();
    expect(await roster.getByRole("link", { name: "2 more tools" }).getAttribute("href")).toBe("/roster/git");
    await roster.getByRole("link", { name: /^log/ }).click();

    await page.waitForURL(`${hall.url}/roster/git/log`);
    await page.getByRole("heading", { name: "log", exact: true }).waitFor();
  });

  it("shows members that come, fall and come back without a reload, and restarts one", async () => {
    await openHall();
    const roster = page.getByRole("region", { name: "Roster" });

    const program = `${hall.home}-late.ts`;
    await symlink(pliable, program);
    await putMember(hall.home, "late", {
      transport: "stdio",
      mcp: { command: "node", args: [program], env: {} },
      displayName: "Latecomer",
    });
    await memberRow(roster, "Latecomer").getByText("Connected").waitFor();
    // Without its program it cannot come back by itself.
    await unlink(program);
    await hall.client.tools.invoke({ member: MemberName.parse("late"), tool: "die", input: {} }).catch(() => undefined);
    await memberRow(roster, "Latecomer").getByText("Error").waitFor();
    await symlink(pliable, program);
    await roster.getByRole("button", { name: "Restart Latecomer" }).click();

    await memberRow(roster, "Latecomer").getByText("Connected").waitFor();
    await page.getByText("4 of 4 connected").waitFor();
    expect(await roster.getByRole("button", { name: /Restart/ }).count()).toBe(0);
    await hall.client.roster.remove("late");
    await memberRow(roster, "Latecomer").waitFor({ state: "detached" });
  });

  it("shows a manifest that cannot be read as an error with its reason (REQ-GH1-26)", async () => {
    await openHall();
    const roster = page.getByRole("region", { name: "Roster" });

    await mkdir(join(hall.home, "guild-members", "broken"));
    await writeFile(join(hall.home, "guild-members", "broken", "guild-member.json"), '{ "name": "broken", "displayname": "x" }');
    await memberRow(roster, "broken").getByText("Error").waitFor();
    await memberRow(roster, "broken").click();

    await roster.getByRole("paragraph").filter({ hasText: 'unknown key "displayname"; did you mean "displayName"?' }).waitFor();
    expect(await roster.getByRole("button", { name: "Restart broken" }).count()).toBe(0);
    await hall.client.roster.remove("broken");
    await memberRow(roster, "broken").waitFor({ state: "detached" });
  });
});

describe("a Roster that was out of sight", () => {
  it("asks for nothing while nobody looks, and for everything when somebody does", async () => {
    await openRoster();
    const asked: string[] = [];
    const listen = (request: Request) => request.url().includes("/api/roster") && asked.push(request.url());
    page.on("request", listen);
    await setVisibility(page, "hidden");

    await putListingMember(hall.home, "unseen", { displayName: "Unseen", tools: [] });
    await areConnected(hall, "unseen");
    expect(asked).toEqual([]);
    await setVisibility(page, "visible");

    await memberRow(page.getByRole("main"), "Unseen").getByText("Connected").waitFor();
    expect(asked[0]).toBe(`${hall.url}/api/roster`);
    page.off("request", listen);
    await hall.client.roster.remove("unseen");
    await memberRow(page.getByRole("main"), "Unseen").waitFor({ state: "detached" });
  });
});

describe("the Roster's own page", () => {
  it("finds one of a thousand tools by keyboard alone, and draws only what is in sight", async () => {
    await openHall();

    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.getByRole("heading", { level: 1, name: "Roster" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("cursors");
    await page.getByText("250 matches").waitFor();
    const options = page.getByRole("option");
    expect(await options.count()).toBeLessThan(60);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.getByRole("option", { selected: true }).innerText()).toContain("tool_0005");
    await page.keyboard.press("Enter");

    await page.waitForURL(`${hall.url}/roster/many/tool_0005`);
  });

  it("keeps the chosen one in sight however far the arrows go", async () => {
    await openRoster();

    await page.keyboard.press("/");
    await page.keyboard.type("tool_");
    await page.getByText("1000 matches").waitFor();
    for (let step = 0; step < 40; step += 1) await page.keyboard.press("ArrowDown");

    const chosen = page.getByRole("option", { selected: true });
    await expect.poll(() => chosen.innerText()).toContain("tool_0040");
    await expect.poll(async () => (await chosen.boundingBox())?.y).toBeLessThan(900);
    const active = await page.getByRole("combobox", { name: "Find a tool" }).getAttribute("aria-activedescendant");
    expect(await chosen.getAttribute("id")).toBe(active);
    await page.getByRole("combobox", { name: "Find a tool" }).fill("");
  });

  it("says so where nothing matches, and shows all again", async () => {
    await openRoster();

    await page.getByRole("combobox", { name: "Find a tool" }).fill("no such tool");
    await page.getByText("Nothing matches “no such tool”").waitFor();
    await page.getByRole("button", { name: "Show all members" }).click();

    await memberRow(page.getByRole("main"), "Git").waitFor();
    expect(await page.getByRole("combobox", { name: "Find a tool" }).inputValue()).toBe("");
  });

  it("is walked through with arrows, and opened with Enter", async () => {
    await openRoster();

    await page.keyboard.press("/");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");

    await page.waitForURL(`${hall.url}/roster/git/diff`);
    expect(await page.getByRole("list", { name: "Where you are" }).innerText()).toMatch(/Roster\s*Git\s*diff/);
  });

  it("is found in the palette, with every member and every tool", async () => {
    await openHall();

    await page.keyboard.press("Control+k");
    await page.keyboard.type("blame");
    await page.getByRole("option", { name: "Git blame" }).click();

    await page.waitForURL(`${hall.url}/roster/git/blame`);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });
});

const openHall = (): Promise<void> => open("");

const openRoster = (): Promise<void> => open("/roster");

/** Each test leaves a page as it was: one that is open already stays. */
async function open(path: string): Promise<void> {
  if (new URL(page.url()).href !== new URL(path, hall.url).href) await goTo(page, `${hall.url}${path}`);
  await toolsAreRead(page, "git", "diff");
}
