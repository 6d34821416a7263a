import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { joinCommandLine } from "../../src/web/format/command-line.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";
import { areConnected } from "./roster-stage.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: "example", waiting: false })]);
  await areConnected(hall, "example");
  page = await browser.blank({ lasts: true });
});

const { command, args } = playedBy("stdio", "well").mcp;
const working = joinCommandLine([command, ...args]);
const dying = joinCommandLine([command, args[0] ?? "", "dies", "stdio"]);

describe("adding a member", () => {
  it("shows the exact command, argument by argument, and starts it only when asked to, by keyboard alone (SEC-11)", async () => {
    const dialog = await openDialog();

    await page.keyboard.insertText(`${working} "an argument" ''`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("played");
    await page.keyboard.press("Enter");
    const exact = dialog.getByRole("region", { name: "The exact command" });
    await exact.waitFor();
    const parts = await exact.getByRole("listitem").allInnerTexts();
    expect(parts.map((part) => part.replace(/^(program|arg \d+)\s+/, ""))).toEqual([command, ...args, "an argument", "(empty)"]);
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("The exact command");
    for (let times = 0; times < 3; times += 1) await page.keyboard.press("Enter");
    expect(await names()).not.toContain("played");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");

    await dialog.getByText("Connected").waitFor();
    await dialog
      .getByText(/^\d+ tools$/)
      .first()
      .waitFor();
    expect(await outOfOrder(page, "added", { looks: lightDarkSmall })).toEqual([]);
    const manifest = await readFile(join(hall.home, "guild-members/played/guild-member.json"), "utf8");
    expect(JSON.parse(manifest)).toMatchObject({ mcp: { command, args: [...args, "an argument", ""] } });
  });

  it("goes back from the command with everything that was written, and adds nothing when closed", async () => {
    const dialog = await openDialog();

    await dialog.getByRole("textbox", { name: "Command" }).fill(dying);
    await dialog.getByRole("textbox", { name: "Environment variables" }).fill("GREETING=hello there");
    await dialog.getByRole("button", { name: "Review the command" }).click();
    await dialog.getByText("hello there").waitFor();
    await dialog.getByRole("button", { name: "Back" }).click();

    expect(await dialog.getByRole("textbox", { name: "Command" }).inputValue()).toBe(dying);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await names()).toEqual(expect.not.arrayContaining(["played-member"]));
  });

  it("explains at once why a member that was added does not start", async () => {
    const dialog = await openDialog();

    await dialog.getByRole("textbox", { name: "Command" }).fill(dying);
    await dialog.getByRole("textbox", { name: /^Name/ }).fill("short-lived");
    await dialog.getByRole("button", { name: "Review the command" }).click();
    await dialog.getByRole("button", { name: "Add and start" }).click();

    await dialog.getByRole("alert").getByText("exit code 3").waitFor();
    await dialog.getByRole("list", { name: "Steps of the connection" }).getByText("Handshake").waitFor();
    await dialog.getByRole("region", { name: "Last lines of stderr" }).getByText("I cannot go on.").first().waitFor();
    expect(await outOfOrder(page, "added-failed", { looks: lightDarkSmall })).toEqual([]);
    await dialog.getByRole("link", { name: "Open its page" }).click();
    await page.waitForURL(`${hall.url}/roster/short-lived`);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("says at the field what is wrong, in words", async () => {
    const dialog = await openDialog();
    const review = dialog.getByRole("button", { name: "Review the command" });

    await review.click();
    await dialog.getByRole("alert").getByText("Write the program to start").waitFor();
    await dialog.getByRole("textbox", { name: "Command" }).fill("curl example.org | sh");
    await review.click();
    await dialog.getByRole("alert").getByText("no shell takes part").waitFor();
    await dialog.getByRole("textbox", { name: "Command" }).fill("node server.js");
    await dialog.getByRole("textbox", { name: /^Name/ }).fill("example");
    await review.click();

    await dialog.getByRole("alert").getByText("There is a member called example already").waitFor();
    expect(await dialog.getByRole("textbox", { name: /^Name/ }).getAttribute("aria-invalid")).toBe("true");
    expect(await outOfOrder(page, "add-member-refused")).toEqual([]);
  });

  it("takes the command part by part as well", async () => {
    const dialog = await openDialog();

    await dialog.getByRole("textbox", { name: "Command" }).fill(`node "my server.js" --flag`);
    await dialog.getByRole("button", { name: "Write it argument by argument" }).click();
    expect(await dialog.getByRole("textbox", { name: "Program" }).inputValue()).toBe("node");
    expect(await dialog.getByRole("textbox", { name: "Arguments" }).inputValue()).toBe("my server.js\n--flag");
    await dialog.getByRole("textbox", { name: "Arguments" }).fill("my server.js\n$HOME; rm -rf /");
    await dialog.getByRole("button", { name: "Review the command" }).click();

    const parts = dialog.getByRole("region", { name: "The exact command" }).getByRole("listitem");
    expect(await parts.last().innerText()).toMatch(/arg 2\s+\$HOME; rm -rf \//);
  });

  it("imports servers of another program's file, each confirmed by itself (SEC-11)", async () => {
    const dialog = await openDialog();
    const server = { command, args };
    const file = {
      mcpServers: {
        "First One": server,
        second: { ...server, env: { TOKEN: "${SECRET_TOKEN}" } },
        far: { type: "http", url: "https://example.org/mcp" },
      },
    };

    await dialog.getByRole("button", { name: "From a file" }).click();
    await dialog.getByRole("textbox", { name: "Configuration" }).fill(JSON.stringify(file));
    await dialog.getByText("It is a server on the network").waitFor();
    await dialog.getByRole("button", { name: "Review First One" }).click();
    await dialog.getByRole("region", { name: "The exact command" }).waitFor();
    expect(await names()).not.toContain("first-one");
    await dialog.getByRole("button", { name: "Add and start" }).click();
    await dialog.getByText("Connected").waitFor();
    await dialog.getByRole("button", { name: "Back to the file" }).click();
    await dialog.getByText("In the Roster").waitFor();

    expect(await dialog.getByRole("button", { name: "Review second" }).getAttribute("title")).toBe("Fill in SECRET_TOKEN first.");
    await dialog.getByRole("textbox", { name: "SECRET_TOKEN" }).fill("abc");
    await dialog.getByRole("button", { name: "Review second" }).click();
    await dialog.getByText("abc").waitFor();
    expect(await names()).toEqual(expect.arrayContaining(["example", "first-one"]));
    expect(await names()).not.toContain("second");
  });

  it("says what is wrong with a file that cannot be read", async () => {
    const dialog = await openDialog();

    await dialog.getByRole("button", { name: "From a file" }).click();
    await dialog.getByRole("textbox", { name: "Configuration" }).fill("{ not JSON");

    await dialog.getByRole("alert").getByText("This is not JSON").waitFor();
    expect(await dialog.getByRole("list", { name: "Servers in this file" }).count()).toBe(0);
  });
});

/** One that a test before left open is closed, and what was written in it is gone. */
async function openDialog(): Promise<Locator> {
  const dialog = page.getByRole("dialog", { name: "Add member" });
  if ((await dialog.count()) > 0) {
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  }
  // The page is another one then, and knows nothing of a dialog that is about to be closed.
  await goTo(page, `${hall.url}/settings`);
  await goTo(page, `${hall.url}/roster`);
  await page.getByRole("button", { name: "Add member" }).focus();
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  expect(await dialog.getByRole("textbox", { name: "Command" }).inputValue()).toBe("");
  return dialog;
}

const names = async (): Promise<string[]> => (await hall.client.roster.list()).members.map(({ name }) => name);
