import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { pliableMember } from "../server/pliable-member.fixture.ts";
import { goTo, openAlive, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { command, pressOn } from "./by-keyboard.ts";
import { putListingMember } from "./listing-member.fixture.ts";
import { outOfOrder } from "./looks.ts";
import { areConnected } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  await putMember(hall.home, "pliable", { ...pliableMember(), displayName: "Pliable", description: "Bends to a test" });
  await putListingMember(hall.home, "noisy", {
    displayName: "Noisy",
    stderr: "\u001b[32mready\u001b[0m\n<b id='taken'>bold</b> \u001b[2J evil\u202etxt.exe\n",
    tools: [{ name: "be_quiet", description: "Says less" }],
  });
  await putMember(hall.home, "dying", { ...playedBy("stdio", "dies"), displayName: "Dying" });
  await areConnected(hall, "pliable", "noisy");
  page = await browser.blank({ lasts: true });
});

describe("the page of a member", () => {
  it("shows how it is, exactly what is started, and its tools", async () => {
    await openMember("pliable");
    const main = page.getByRole("main");

    await main.getByRole("heading", { level: 1, name: "Pliable" }).waitFor();

    expect(await main.innerText()).toMatch(/Connected\s+Bends to a test\s+stdio\s+node .*pliable-member.fixture.ts\s+up \d/);
    expect(await page.getByRole("navigation", { name: "Tools of Pliable" }).getByRole("link").allInnerTexts()).toEqual([
      expect.stringContaining("echo"),
      expect.stringContaining("change"),
      expect.stringContaining("hang"),
      expect.stringContaining("die"),
    ]);
    const command = page.getByRole("list", { name: "Program and arguments" }).getByRole("listitem");
    expect(await command.allInnerTexts()).toEqual([
      expect.stringMatching(/program\s+node/),
      expect.stringMatching(/arg 1\s+\S+fixture.ts/),
    ]);
  });

  it("says who may call it: the reader, and the sessions that have it", async () => {
    const with1 = await hall.client.sessions.create({ name: "Has the noisy one", members: ["noisy"] });
    await hall.client.sessions.create({ name: "Has none" });
    await openMember("noisy");
    const callers = page.getByRole("region", { name: "Who may call it" });

    await callers.getByRole("link", { name: "Has the noisy one" }).waitFor();

    expect(await callers.innerText()).toContain("You, by hand");
    expect(await callers.innerText()).not.toContain("Has none");
    expect(await callers.getByRole("link").getAttribute("href")).toBe(`/sessions/${with1.id}`);
  });

  it("explains a connection that failed, step by step, with what the program said last and one thing to press", async () => {
    await openMember("dying");
    const steps = page.getByRole("list", { name: "Steps of the connection" }).getByRole("listitem");

    await page.getByRole("alert").getByText("exit code 3").waitFor();
    const way = [/Program started.*done/s, /Handshake.*failed/s, /Tools listed.*not yet/s].map(
      (step) => expect.stringMatching(step) as string,
    );
    // It is started again a few times, and each time goes the same way.
    await expect.poll(() => steps.allInnerTexts()).toEqual(way);
    await page.getByRole("region", { name: "Last lines of stderr" }).getByText("I cannot go on.").first().waitFor();
    const before = (await hall.client.roster.logs("dying")).text.length;
    await page.getByRole("alert").getByRole("button", { name: "Restart" }).click();

    await expect.poll(async () => (await hall.client.roster.logs("dying")).text.length).toBeGreaterThan(before);
  });

  it("shows what it wrote to stderr as plain text, and new lines by themselves (SEC-6)", async () => {
    await openMember("noisy");

    await command(page, "show its log");
    const log = page.getByRole("dialog", { name: "Log of Noisy" }).getByRole("log");
    await log.getByText("ready").waitFor();
    expect(await log.innerText()).toContain("<b id='taken'>bold</b> [U+001B][2J evil[U+202E]txt.exe");
    expect(await page.locator("#taken").count()).toBe(0);
    const starts = async () => (await log.innerText()).split("ready").length - 1;
    const seen = await starts();
    await hall.client.roster.restart("noisy");

    await expect.poll(starts).toBe(seen + 1);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });

  it("asks before it removes a member by keyboard alone, and says where its folder goes", async () => {
    await putListingMember(hall.home, "leaving", { displayName: "Leaving", tools: [] });
    await areConnected(hall, "leaving");
    await openMember("leaving");

    await command(page, "remove member");
    await page.getByRole("dialog").getByText("removed-members/").waitFor();
    await pressOn(page.getByRole("button", { name: "Keep it" }));
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await command(page, "remove member");
    await pressOn(page.getByRole("dialog").getByRole("button", { name: "Remove member" }));

    await page.waitForURL(`${hall.url}/roster`);
    await page.getByText("Leaving is removed.").waitFor();
    const [kept = ""] = (await readdir(join(hall.home, "removed-members"))).filter((name) => name.includes("leaving"));
    expect(await readFile(join(hall.home, "removed-members", kept, "guild-member.json"), "utf8")).toContain("Leaving");
  });

  it("restarts it by keyboard alone, and follows", async () => {
    await openMember("noisy");
    const { startedAt } = await hall.client.roster.get("noisy");

    await command(page, "restart member");

    await expect.poll(async () => (await hall.client.roster.get("noisy")).startedAt).not.toBe(startedAt);
    await page.getByRole("main").getByText("Connected").waitFor();
  });

  it("of a tool that is not there leads to what is", async () => {
    await openMember("noisy/no_such_tool");

    await page.getByText("This member has no tool of that name.").waitFor();

    expect(await outOfOrder(page, "tool-gone")).toEqual([]);
    expect(await page.getByRole("link", { name: "See how it is connected" }).getAttribute("href")).toBe("/roster/noisy");
  });
});

describe("a tool whose definition changed", () => {
  it("is shown before and after, and accepted only beside its whole definition (SEC-12)", async () => {
    await openMember("pliable/hang");
    await openMember("noisy");
    await hall.client.tools.invoke({ member: MemberName.parse("pliable"), tool: "change", input: {} });
    await expect.poll(async () => (await hall.client.roster.get("pliable")).tools.every(({ accepted }) => accepted)).toBe(false);
    await page.goBack();

    await page.getByText("1 tool waits for you.").waitFor();
    expect(await page.getByRole("button", { name: "Accept this definition" }).count()).toBe(0);
    await page.getByRole("link", { name: "Review" }).click();
    const change = page.getByRole("article", { name: "Change of echo" });
    const definition = change.getByRole("region", { name: "Definition of echo" });
    await definition.waitFor();
    expect(await definition.textContent()).toMatch(/gone: Says what it is told\..*new: Says less than before\./);
    expect(await definition.innerText()).toContain('"maxLength": 1000');
    await change.getByRole("button", { name: "Accept this definition" }).click();

    await change.waitFor({ state: "detached" });
    await page.getByText("1 tool waits for you.").waitFor({ state: "detached" });
    expect((await hall.client.roster.get("pliable")).tools.every(({ accepted }) => accepted)).toBe(true);
  });
});

describe("the page of a member that is not there", () => {
  it("says so when the member is removed elsewhere; what was not answered before stays said, however often the member is read", async () => {
    await putListingMember(hall.home, "going", { displayName: "Going", tools: [] });
    await areConnected(hall, "going");
    // What a page asks for in the moment before it is told is not found any more. The one of the other tests is to ask for nothing.
    await page.goto(`${hall.url}/icon.svg`);
    const own = await openAlive(browser, `${hall.url}/roster/going`, { expects: /404|ERR_CONNECTION_RESET/ });
    await own.route("**/restart", (route) => route.abort("connectionreset"), { times: 1 });
    await own.getByRole("button", { name: "Restart" }).click();
    const unanswered = own.getByText("may be done all the same");
    await unanswered.waitFor();
    await hall.client.roster.restart("going");
    await areConnected(hall, "going");
    const { startedAt } = await hall.client.roster.get("going");
    await own.locator(`time[datetime="${startedAt}"]`).waitFor();
    expect(await unanswered.count()).toBe(1);

    await hall.client.roster.remove("going");

    await own.getByText("This member is no longer there.").waitFor();
    expect(await outOfOrder(own, "member-gone")).toEqual([]);
    expect(await own.getByRole("link", { name: "Go to the Roster" }).getAttribute("href")).toBe("/roster");
  });

  it("is not found where there is no such member", async () => {
    const nowhere = await browser.open(`${hall.url}/roster/nobody`, { expects: /404/ });

    await nowhere.getByRole("heading", { level: 1, name: "Nothing is here" }).waitFor();
    expect(await nowhere.title()).toBe("Not found · Guild Hall");
  });
});

const openMember = (path: string): Promise<void> => goTo(page, `${hall.url}/roster/${path}`);
