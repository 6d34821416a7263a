import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { putMember } from "../server/members-by-hand.ts";
import { goTo, setLook, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { putListingMember } from "./listing-member.fixture.ts";
import { onlySmall, outOfOrder } from "./looks.ts";
import { areConnected, isInTrouble } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;

const context =
  "# Cursor migration\n\nGoal: drop sync_cursor in 2.15\nwithout a forced resync.\n\n## Constraints\n- 1.2 M devices, p99 lag 88 min\n- Rollback within one deploy\n- No write lock over 2 s\n\n## Open\n- Who owns export.ts?\n";

beforeAll(async () => {
  const model = await startScriptedModel({ script: () => ({ text: "Dear.", usage: { inputTokens: 212_000, outputTokens: 18_000 } }) });
  [browser, hall] = await Promise.all([
    startBrowser(),
    startSharedHall({ bundled: false, waiting: false, env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "sk-ant-test" } }),
  ]);
  await putListingMember(hall.home, "git", { displayName: "Git", tools: [{ name: "diff", description: "Compare two refs" }] });
  await putListingMember(hall.home, "files", { displayName: "Files", tools: [{ name: "read", description: "One file" }] });
  await putMember(hall.home, "sentry", { ...playedBy("stdio", "dies"), displayName: "Sentry" });
  await areConnected(hall, "git", "files");
  await isInTrouble(hall, "sentry");
  page = await browser.open(hall.url, { lasts: true });
  return () => model.close();
});

describe("what is beside a session", () => {
  it("adds and removes members of a session that has begun; one that is not available says why (REQ-GH1-18)", async () => {
    const id = await openSession(["git"]);

    await part("Members").getByRole("button", { name: "Change members" }).click();
    const dialog = page.getByRole("dialog", { name: "Members of this session" });
    expect(await dialog.locator("label", { hasText: "Sentry" }).innerText()).toMatch(/exit code 3/);
    await dialog.getByRole("checkbox", { name: /Git/ }).uncheck();
    await dialog.getByRole("checkbox", { name: /Files/ }).check();
    await dialog.getByRole("button", { name: "Save members" }).click();
    await dialog.waitFor({ state: "detached" });

    await part("Members").getByText("Files", { exact: true }).waitFor();
    expect(await part("Members").getByText("Git", { exact: true }).count()).toBe(0);
    expect((await hall.client.sessions.get(id)).session.members).toEqual(["files"]);
  });

  it("says what it cost and what it may cost, has the limit changed on the spot, and says what all answers took, and the last, to whoever comes later", async () => {
    const id = await openSession();
    await page.getByRole("textbox", { name: "Message" }).fill("Spend.");
    await page.keyboard.press("Enter");
    const cost = part("Cost");
    await cost.getByText("212 k", { exact: true }).waitFor();
    expect(await cost.innerText()).toMatch(/about \$\d[^]*Tokens in\s+212 k\s+Tokens out\s+18 k[^]*An estimate/);

    await cost.getByRole("button", { name: "Set a limit" }).click();
    await page.keyboard.type("nothing");
    await page.keyboard.press("Enter");
    await cost.getByText("Write a number of dollars that is more than 0.").waitFor();
    await cost.getByRole("textbox", { name: "Session limit" }).fill("5000");
    await page.keyboard.press("Enter");

    await cost.getByRole("meter", { name: "Session limit" }).waitFor();
    expect(await cost.innerText()).toMatch(/of \$5000\.00/);
    expect((await hall.client.sessions.get(id)).session.limits.maxCostUsd).toBe(5000);
    await page.getByRole("textbox", { name: "Message" }).fill("Spend more.");
    await page.keyboard.press("Enter");
    await cost.getByText("424 k", { exact: true }).waitFor();

    await page.reload();

    expect(await cost.innerText()).toMatch(
      /Last answer\s+\$\S+, 1 turn, 212 k tokens in, 18 k out\s+Tokens in\s+424 k\s+Tokens out\s+36 k/,
    );
  });

  it("is reached part by part with keys", async () => {
    await openSession();
    await page.getByRole("heading", { level: 1 }).click();

    await page.keyboard.press("}");
    await page.keyboard.press("}");

    expect(await page.evaluate("document.activeElement.textContent")).toBe("Members");
    await page.keyboard.press("{");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Context");
  });

  it("is tabs of one column on a small screen", async () => {
    await openSession(["git"]);
    await setLook(page, { width: 390 });
    const tabs = page.getByRole("group", { name: "Session parts" });

    await tabs.getByRole("button", { name: "Context" }).click();
    await page.getByRole("textbox", { name: "context.md" }).waitFor();
    expect(await part("Members").isVisible()).toBe(false);
    await tabs.getByRole("button", { name: "Artifacts 1" }).click();
    await part("Artifacts")
      .getByRole("link", { name: /reader-inventory\.md/ })
      .waitFor();
    await tabs.getByRole("button", { name: "Cost" }).click();

    await part("Cost").getByText("This session has no limit.").waitFor();
    expect(await page.getByRole("textbox", { name: "context.md" }).isVisible()).toBe(false);
    await setLook(page, {});
  });

  it("is in order for axe and for thumbs, all at once in both themes and part by part on a small screen", async () => {
    const id = await openSession(["git", "files", "sentry"]);
    await hall.client.sessions.change(id, { limits: { maxCostUsd: 5 } });
    await part("Cost").getByRole("meter").waitFor();
    await page.getByRole("textbox", { name: "context.md" }).click();

    expect(await outOfOrder(page, "session-panel")).toEqual([]);
    for (const name of ["Context", "Members", "Cost"]) {
      const toPart = () => page.getByRole("group", { name: "Session parts" }).getByRole("button", { name }).click();
      expect(await outOfOrder(page, `session-panel-${name.toLowerCase()}`, { looks: onlySmall, onSmall: toPart })).toEqual([]);
    }
  });
});

const part = (name: string): Locator => page.getByRole("complementary", { name: "Session" }).getByRole("region", { name, exact: true });

async function openSession(members: string[] = []): Promise<SessionId> {
  const { id } = await hall.client.sessions.create({ name: "Cursor migration plan", members, context });
  await writeFile(join(hall.home, "sessions", id, "artifacts", "reader-inventory.md"), "# Readers\n");
  await goTo(page, `${hall.url}/sessions/${id}`);
  return id;
}
