import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { newSessionId } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { isAlive, startBrowser } from "./browser.ts";
import { half, halfMember } from "./half-member.fixture.ts";
import { areConnected } from "./roster-stage.ts";
import { storeSessions } from "./stored-sessions.ts";

let hall: Hall;
let page: Page;
const session = newSessionId();

beforeAll(async () => {
  const prepare = async (home: string): Promise<void> => {
    await storeSessions(home, [
      { id: session, name: half("Stored"), members: ["half"], preview: half("Before"), says: [half("Hello"), half("Yes")] },
    ]);
    await mkdir(join(home, "state/jobs/half"), { recursive: true });
    const answers = [{ question: half("Which one?"), answer: half("That"), at: "2026-01-01T00:00:00.000Z", times: 1, followUp: null }];
    await writeFile(join(home, "state/jobs/half/asking.json"), JSON.stringify({ version: 1, hidden: false, answers, dismissed: [] }));
    await putMember(home, "half", halfMember());
  };
  const [browser, shared] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false, prepare })]);
  hall = shared;
  await areConnected(hall, "half");
  page = await browser.open(hall.url, { lasts: true });
});

/** From the server, as after a reload: what it drew must be what the browser draws. */
async function open(path: string): Promise<number | undefined> {
  const response = await page.goto(`${hall.url}${path}`);
  await isAlive(page);
  return response?.status();
}

describe("half a character in every text of a member, and in what a home has stored", () => {
  it("leaves every page as it is, with a sign in its place (SEC-6)", async () => {
    const main = page.getByRole("main");
    for (const [path, text] of [
      ["/", "Stored\ufffd"],
      ["/roster", "Half\ufffd"],
      ["/roster/half", "Half\ufffd"],
      ["/roster/half/fine", "Returns halves\ufffd"],
      [`/sessions/${session}`, "Hello\ufffd"],
      ["/jobs", "Job done\ufffd"],
      ["/jobs/half/done", "Found\ufffd"],
      ["/jobs/half/asking", "Which one?\ufffd"],
      ["/jobs/half/failed", "It broke\ufffd"],
      ["/settings", "Settings"],
    ] as const) {
      expect([path, await open(path)]).toEqual([path, 200]);
      await main.getByText(text).first().waitFor();
    }
  });

  it("is found in the palette", async () => {
    for (const [words, option] of [
      ["stored", "Stored\ufffd"],
      ["half", "Half\ufffd"],
      ["fine", "Half\ufffd fine"],
    ] as const) {
      await open("/settings");
      await page.keyboard.press("Control+k");
      await page.keyboard.type(words);

      await expect.poll(() => page.getByRole("option", { name: option }).count()).toBeGreaterThan(0);
    }
  });

  it("costs the member the tool whose name it is in, and says so, and no other tool", async () => {
    const member = await hall.client.roster.get("half");
    await open("/roster/half/fine");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("region", { name: "Result", exact: true }).getByText("value\ufffd").first().waitFor();

    expect(member.tools.map(({ name }) => name)).toEqual(["fine", "fail"]);
    expect(member.steps.at(-1)?.detail).toMatch(/^2 tools, and 1 left out: cut\ufffd: Its name holds half of a character/);
    expect(JSON.stringify(member)).not.toMatch(/\\ud[89a-f]/);
  });

  it("is in nothing that a worker tells", async () => {
    const { jobs } = hall.client;
    const said = [
      await jobs.list({}),
      await jobs.get("half", (await jobs.dispatch("half", { description: "d", task: half("t") })).jobId),
      await jobs.result("half", "done"),
    ];

    expect(JSON.stringify(said)).toContain("\ufffd");
    expect(JSON.stringify(said)).not.toMatch(/\\ud[89a-f]/);
  });
});
