import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { memberRow } from "./roster-stage.ts";
import { isIdle, send } from "./session-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: "example", waiting: false })]);
});

describe("the first session", () => {
  it("starts from an empty hall that says which model answers and how to connect Claude (REQ-GH1-4)", async () => {
    // It comes first, so nobody has done anything here yet.
    page = await browser.open(hall.url, { lasts: true });

    await page.getByRole("heading", { name: "A demo model is answering" }).waitFor();
    expect(new URL(page.url()).hostname).toBe("127.0.0.1");
    expect(await page.getByRole("region", { name: "Connect Claude" }).textContent()).toContain("ANTHROPIC_API_KEY");
    expect(await page.getByRole("region", { name: "What was found" }).getByRole("listitem").count()).toBeGreaterThan(4);

    await page.getByRole("button", { name: "Check for a key again" }).click();
    await page.getByText("No key was found. The demo model goes on answering.").waitFor();

    await page.getByRole("button", { name: "Start a demo session" }).click();
    await page.getByRole("heading", { level: 1, name: "A first look" }).waitFor();
  });

  it("has the Roster from the first start on, beside the Board (REQ-GH1-6, REQ-GH1-9)", async () => {
    await goTo(page, `${hall.url}/`);
    const roster = page.getByRole("region", { name: "Roster" });

    await memberRow(roster, "Example").getByText("Connected").waitFor();

    await roster.getByText("1 of 1 connected").waitFor();
    expect(await memberRow(roster, "Example").innerText()).toMatch(/\d+ tools/);
    expect(await page.getByRole("heading", { name: "Board" }).isVisible()).toBe(true);
  });

  it("streams an answer with its tool calls, and shows it once, after a reload too, which keeps what was typed (REQ-GH1-14, REQ-GH1-15, REQ-GH1-16)", async () => {
    const { id } = await hall.client.sessions.create({ name: "Streaming" });
    await goTo(page, `${hall.url}/sessions/${id}`);
    const field = page.getByRole("textbox", { name: "Message" });

    await send(page, "tour");
    await page.getByText("Running", { exact: true }).first().waitFor();
    await page.locator("summary", { hasText: "Done" }).first().waitFor();
    await isIdle(page);
    const said = await messages();
    await field.fill("half a thought");
    await page.reload();

    await expect.poll(messages).toEqual(said);
    expect(said[0]).toContain("tour");
    expect(said.filter((text) => text.includes("Scripted demo")).length).toBeGreaterThan(0);
    expect(new Set(said).size).toBe(said.length);
    await expect.poll(() => field.inputValue()).toBe("half a thought");
  });

  it("says in words why a model did not answer, and sends the message again, once however often it is pressed", async () => {
    const { id } = await hall.client.sessions.create({ name: "Failing" });
    await goTo(page, `${hall.url}/sessions/${id}`);

    await send(page, "error: wrong key");
    await page.getByRole("log").getByText("The model refused the credentials").waitFor();

    const sent: string[] = [];
    page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
    await page.getByRole("button", { name: "Send it again" }).dblclick();
    await page.getByRole("article").filter({ hasText: "error: wrong key" }).getByText("Sent 2 times").waitFor();
    await isIdle(page);
    await page.getByRole("log").getByText("The model refused the credentials").waitFor();
    expect(await messages()).toEqual([expect.stringContaining("error: wrong key")]);
    expect(sent).toEqual([`${hall.url}/api/sessions/${id}/messages`]);
  });

  it("asks before it deletes, and leads back to the hall", async () => {
    const { id } = await hall.client.sessions.create({ name: "Deleting" });
    await goTo(page, `${hall.url}/sessions/${id}`);

    await page.getByRole("button", { name: "More for this session" }).click();
    await page.getByRole("button", { name: "Delete session" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("button", { name: "More for this session" }).click();
    await page.getByRole("button", { name: "Delete session" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete session" }).click();

    await page.waitForURL(`${hall.url}/`);
    await page.getByText("Deleting is deleted.").waitFor();
    expect((await hall.client.sessions.list()).sessions.map(({ name }) => name)).not.toContain("Deleting");
  });
});

const messages = (): Promise<string[]> => page.getByRole("article").allInnerTexts();
