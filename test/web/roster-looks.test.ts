import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { pliableMember } from "../server/pliable-member.fixture.ts";
import { axeFindings, isAlive, lowTargets, shoot, startBrowser, wideElements } from "./browser.ts";
import type { Look, TestBrowser } from "./browser.ts";
import { putListingMember } from "./listing-member.fixture.ts";
import { areConnected, isInTrouble } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: HallProcess;
let session: string;

const html = `<img src=x onerror="window.taken = 1"><script>window.taken = 2</script>`;
const turned = "\u202eesrever\u2066 \u200b";
const endless = "x".repeat(10_000);

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall()]);
  const git = ["diff", "log", "show"].map((name) => ({ name, description: `What ${name} says` }));
  await putListingMember(hall.home, "git", { displayName: "Git", description: "Branches, diffs and history", tools: git });
  await putListingMember(hall.home, "hostile", {
    // What cannot be seen is refused in a manifest; writing from right to left is not.
    displayName: `عربي ${html}`.slice(0, 100),
    description: `${html}${endless}`.slice(0, 1000),
    stderr: `${html}${turned}${endless}\n`,
    tools: [
      { name: html, description: html },
      { name: `turned${turned}`, description: turned },
      { name: "endless", description: endless },
      { name: endless.slice(0, 3000), description: "A long name" },
    ],
  });
  await putMember(hall.home, "pliable", { ...pliableMember(), displayName: "Pliable" });
  await putMember(hall.home, "dying", { ...playedBy("stdio", "dies"), displayName: "Dying" });
  await areConnected(hall, "git", "hostile", "pliable", "example");
  await hall.client.tools.invoke({ member: MemberName.parse("pliable"), tool: "change", input: {} });
  await isInTrouble(hall, "dying");
  session = (await hall.client.sessions.create({ name: "With members", members: ["git", "hostile", "dying"] })).id;
});

/** On a small screen targets are also large enough for a thumb. */
const looks: Look[] = [
  { theme: "light", width: 1440 },
  { theme: "dark", width: 1440 },
  { theme: "light", width: 390 },
];

type Scene = { name: string; path: string; prepare?: (page: Page) => Promise<unknown> };

const press = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name, exact: true }).first().click();

const scenes: Scene[] = [
  { name: "roster-hall", path: "/", prepare: (page) => openAll(page) },
  { name: "roster", path: "/roster", prepare: (page) => openAll(page) },
  { name: "roster-found", path: "/roster", prepare: (page) => page.getByRole("combobox", { name: "Find a tool" }).fill("e") },
  { name: "member", path: "/roster/git" },
  { name: "member-failed", path: "/roster/dying", prepare: (page) => page.getByRole("region", { name: "Last lines of stderr" }).waitFor() },
  { name: "member-changed", path: "/roster/pliable", prepare: (page) => page.getByRole("article").first().waitFor() },
  { name: "member-hostile", path: "/roster/hostile" },
  { name: "member-log", path: "/roster/hostile", prepare: (page) => press(page, "Log") },
  { name: "member-remove", path: "/roster/hostile", prepare: (page) => press(page, "Remove…") },
  { name: "add-member", path: "/roster", prepare: (page) => writeCommand(page) },
  { name: "confirm-member", path: "/roster", prepare: (page) => writeCommand(page).then(() => page.keyboard.press("Enter")) },
  { name: "import-members", path: "/roster", prepare: (page) => writeFileContent(page) },
  { name: "choose-members", path: "/", prepare: (page) => page.keyboard.press("n").then(() => page.getByRole("dialog").waitFor()) },
  { name: "roster-workshop", path: "", prepare: (page) => showMembers(page) },
];

describe.each(looks)("in $theme at $width px", (look) => {
  it.each(scenes)("$name has nothing that axe finds wrong, and holds text of others in its place", async ({ name, path, prepare }) => {
    const page = await open(path, look);
    await prepare?.(page);
    await shoot(page, `${name}-${look.width}-${look.theme}`);

    expect(await wideElements(page)).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate("window.taken")).toBeUndefined();
    expect(await page.locator("img").count()).toBe(0);
    expect(look.width === 390 ? await lowTargets(page) : []).toEqual([]);
  });
});

async function open(path: string, look: Look): Promise<Page> {
  const page = await browser.open(`${hall.url}${path === "" ? `/sessions/${session}` : path}`, look);
  await isAlive(page);
  return page;
}

async function openAll(page: Page): Promise<void> {
  await page.getByText("endless", { exact: true }).first().waitFor({ state: "attached" });
  for (const summary of await page.getByRole("main").locator("summary").all()) await summary.click();
}

async function writeCommand(page: Page): Promise<void> {
  await press(page, "Add member");
  await page.keyboard.type(`npx -y @scope/server "two words" ${"long".repeat(60)}`);
}

async function writeFileContent(page: Page): Promise<void> {
  await press(page, "Add member");
  await page.getByRole("button", { name: "From a file" }).click();
  const servers = { memory: { command: "npx", args: ["-y", "memory"], env: { KEY: "${KEY}" } }, [html]: { url: "https://example.org" } };
  await page.getByRole("textbox", { name: "Configuration" }).fill(JSON.stringify({ mcpServers: servers }));
}

async function showMembers(page: Page): Promise<void> {
  const tab = page.getByRole("button", { name: /^Members/ });
  if (await tab.isVisible()) await tab.click();
  await page.getByRole("complementary").locator("summary").first().click();
}
