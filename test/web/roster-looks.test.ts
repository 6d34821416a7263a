import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { pliableMember } from "../server/pliable-member.fixture.ts";
import { axeFindings, isAlive, lowTargets, setLook, shoot, startBrowser, wideElements } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { putListingMember } from "./listing-member.fixture.ts";
import { areConnected, isInTrouble } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: HallProcess;
let page: Page;
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
  page = await browser.open(hall.url, { lasts: true });
  session = (await hall.client.sessions.create({ name: "With members", members: ["git", "hostile", "dying"] })).id;
});

/** `narrow` is what else it takes to see it where there is one column. */
type Scene = { name: string; path: string; prepare?: (page: Page) => Promise<unknown>; narrow?: (page: Page) => Promise<unknown> };

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
  {
    name: "roster-workshop",
    path: "",
    prepare: (page) => page.getByRole("complementary").locator("summary").first().click(),
    narrow: (page) => page.getByRole("button", { name: /^Members/ }).click(),
  },
];

describe("light and dark, wide and narrow", () => {
  it.each(scenes)("$name has nothing that axe finds wrong, and holds text of others in its place", async (scene) => {
    const { name, path, prepare, narrow } = scene;
    await open(path);
    await prepare?.(page);
    expect(await wideElements(page)).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    await shoot(page, `${name}-1440-light`);

    await setLook(page, { theme: "dark" });
    expect(await axeFindings(page, "colours")).toEqual([]);
    await shoot(page, `${name}-1440-dark`);
    await setLook(page, { theme: "light", width: 390 });
    await narrow?.(page);
    expect(await wideElements(page)).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    // On a small screen targets are also large enough for a thumb.
    expect(await lowTargets(page)).toEqual([]);
    await shoot(page, `${name}-390-light`);

    expect(await page.evaluate("window.taken")).toBeUndefined();
    expect(await page.locator("img").count()).toBe(0);
  });
});

async function open(path: string): Promise<void> {
  await setLook(page, { theme: "light", width: 1440 });
  await page.goto(`${hall.url}${path === "" ? `/sessions/${session}` : path}`);
  await isAlive(page);
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
