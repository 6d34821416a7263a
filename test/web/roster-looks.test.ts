import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { pliableMember } from "../server/pliable-member.fixture.ts";
import { goTo, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { putListingMember } from "./listing-member.fixture.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { areConnected, isInTrouble } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;
let session: string;

const html = `<img src=x onerror="window.taken = 1"><script>window.taken = 2</script>`;
const turned = "\u202eesrever\u2066 \u200b";
const endless = "x".repeat(10_000);

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
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
  await areConnected(hall, "git", "hostile", "pliable");
  await hall.client.tools.invoke({ member: MemberName.parse("pliable"), tool: "change", input: {} });
  await isInTrouble(hall, "dying");
  page = await browser.blank({ lasts: true });
  session = (await hall.client.sessions.create({ name: "With members", members: ["git", "hostile", "dying"] })).id;
});

/** `onSmall` is what else it takes to see it where there is one column. */
type Scene = { name: string; prepare?: () => Promise<unknown>; onSmall?: () => Promise<unknown> };

const press = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true }).first().click();
const writeCommand = (words: string) => page.getByRole("dialog").getByRole("textbox").first().fill(words);
const exactCommand = () => page.getByRole("region", { name: "The exact command" });
const find = (words: string) => page.getByRole("combobox", { name: "Find a tool" }).fill(words);

/** What is to be seen at one address, one after the other. */
const scenes: { of: string; path: string; scenes: Scene[] }[] = [
  {
    of: "the hall with its Roster, and members to choose from",
    path: "/",
    scenes: [
      { name: "roster-hall", prepare: () => openAll() },
      { name: "choose-members", prepare: () => page.keyboard.press("n").then(() => page.getByRole("dialog").waitFor()) },
    ],
  },
  {
    of: "the Roster, and a member that is to be added",
    path: "/roster",
    scenes: [
      { name: "roster", prepare: () => openAll() },
      { name: "roster-found", prepare: () => find("e") },
      { name: "roster-nothing", prepare: () => find("no such tool").then(() => page.getByText("Nothing matches").waitFor()) },
      { name: "add-member", prepare: () => press("Add member").then(() => writeCommand(longCommand)) },
      { name: "confirm-member", prepare: () => page.keyboard.press("Enter").then(() => exactCommand().waitFor()) },
      { name: "import-members", prepare: () => closeDialog().then(writeFileContent) },
    ],
  },
  { of: "a member", path: "/roster/git", scenes: [{ name: "member" }] },
  {
    of: "a member that failed",
    path: "/roster/dying",
    scenes: [{ name: "member-failed", prepare: () => page.getByRole("region", { name: "Last lines of stderr" }).waitFor() }],
  },
  {
    of: "a member that changed",
    path: "/roster/pliable",
    scenes: [{ name: "member-changed", prepare: () => page.getByRole("article").first().waitFor() }],
  },
  {
    of: "a member that means harm, its log, and how it is removed",
    path: "/roster/hostile",
    scenes: [
      { name: "member-hostile" },
      { name: "member-log", prepare: () => press("Log") },
      { name: "member-remove", prepare: () => closeDialog().then(() => press("Remove…")) },
    ],
  },
  {
    of: "members beside a session",
    path: "",
    scenes: [
      {
        name: "roster-workshop",
        prepare: () => page.getByRole("complementary").locator("summary").first().click(),
        onSmall: () => page.getByRole("button", { name: /^Members/ }).click(),
      },
    ],
  },
];

describe("light and dark, wide and narrow", () => {
  it.each(scenes)("$of: nothing is out of order, and text of others stays in its place", async ({ path, scenes }) => {
    await open(path);

    for (const { name, prepare, onSmall } of scenes) {
      await prepare?.();
      expect(await outOfOrder(page, name, { looks: lightDarkSmall, ...(onSmall === undefined ? {} : { onSmall }) })).toEqual([]);
    }

    expect(await page.evaluate("window.taken")).toBeUndefined();
    expect(await page.locator("img").count()).toBe(0);
    await closeDialog();
  });
});

async function open(path: string): Promise<void> {
  await goTo(page, `${hall.url}${path === "" ? `/sessions/${session}` : path}`);
}

/** Those of the whole page stay open wherever it is led. */
async function closeDialog(): Promise<void> {
  if ((await page.getByRole("dialog").count()) === 0) return;
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

async function openAll(): Promise<void> {
  await page.getByText("endless", { exact: true }).first().waitFor({ state: "attached" });
  for (const summary of await page.getByRole("main").locator("summary").all()) await summary.click();
}

const longCommand = `npx -y @scope/server "two words" ${"long".repeat(60)}`;

async function writeFileContent(): Promise<void> {
  await press("Add member");
  await page.getByRole("button", { name: "From a file" }).click();
  const servers = { memory: { command: "npx", args: ["-y", "memory"], env: { KEY: "${KEY}" } }, [html]: { url: "https://example.org" } };
  await page.getByRole("textbox", { name: "Configuration" }).fill(JSON.stringify({ mcpServers: servers }));
}
