import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { createLayout } from "../../src/adapters/files/layout.ts";
import { newSessionId } from "../../src/schema/ids.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { everyLook, lightDarkSmall, outOfOrder } from "./looks.ts";
import { answer, called, question, withMessages } from "./session-stage.ts";
import { minutesAgo, storeSessions } from "./stored-sessions.ts";
import type { StoredSession } from "./stored-sessions.ts";

let browser: TestBrowser;
let hall: Hall;
/** It has shown the token, and stays for all tests. */
let page: Page;

const token = "as-long-as-it-is-secret";

beforeAll(async () => {
  [browser, hall] = await Promise.all([
    startBrowser(),
    startSharedHall({ bundled: "example", waiting: false, env: { GUILD_HALL_TOKEN: token } }),
  ]);
  const { context, tab } = await browser.window({ lasts: true });
  await context.request.post(`${hall.url}/api/login`, { data: { token } });
  page = await tab("about:blank");
});

describe("a hall that asks for its token", () => {
  it("is opened by typing it, says so where it is another, and is in order before anything has happened in it", async () => {
    const door = await browser.open(hall.url, { expects: /401/ });
    await door.getByRole("heading", { level: 1, name: "This hall asks for its token" }).waitFor();

    await door.keyboard.type("a guess");
    await door.keyboard.press("Enter");
    await door.getByText("That is not the token of this hall.").waitFor();
    expect(await outOfOrder(door, "token", { looks: lightDarkSmall })).toEqual([]);
    await door.getByLabel("Token").fill(token);
    await door.keyboard.press("Enter");
    await door.getByRole("heading", { name: "The hall is open" }).waitFor();

    expect(await outOfOrder(door, "first-run", { looks: everyLook })).toEqual([]);
  });
});

/** How a session can stand, as use would have left it, and what is then to be read on its page. */
const standing: { name: string; says: string; stored: StoredSession }[] = [
  { name: "stopped", says: "Stopped.", stored: { error: { code: "stopped", message: "Stopped. What was said so far is kept." } } },
  {
    name: "failed",
    says: "The model is overloaded.",
    stored: { error: { code: "model_overloaded", message: "The model is overloaded. Your message is kept; send it again in a while." } },
  },
  {
    name: "expired",
    says: "no longer exists",
    stored: {
      status: "expired",
      error: { code: "session_expired", message: "The conversation no longer exists. Renew the session to go on." },
    },
  },
  { name: "completed", says: "Completed", stored: { status: "completed" } },
];

describe("the pages of a session", () => {
  const ids = new Map(standing.map(({ name }) => [name, newSessionId()]));
  const spoken = [
    question("What is left to do?"),
    answer(
      {
        type: "text",
        text: "First I look.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```js\nlet a;\n```\n\n- one\n- two",
      },
      ...called("Read", "1 line"),
      ...called("Bash", "Error: No such tool available: Bash", true),
    ),
  ];

  beforeAll(async () => {
    await storeSessions(
      hall.home,
      standing.map(({ name, stored }) => ({
        ...stored,
        id: idOf(name),
        name: `How it is: ${name}`,
        lastActivityAt: minutesAgo(5),
        says: ["A question.", "The beginning of an answer."],
      })),
    );
  });

  it("have nothing out of order before anything is said", async () => {
    const { id } = await hall.client.sessions.create({ name: "Nothing yet" });
    await openSession(id);
    await page.getByRole("button", { name: "tour" }).first().waitFor();

    expect(await outOfOrder(page, "workshop-new")).toEqual([]);
  });

  it("have nothing out of order in a conversation, in every look, nor have the layers above it", async () => {
    await openSession(
      await withMessages(hall, "A first look", [...spoken, question("And now?"), answer({ type: "text", text: "Now it is done." })]),
    );
    await page.getByRole("article").nth(3).waitFor();

    expect(await outOfOrder(page, "workshop", { looks: everyLook })).toEqual([]);
    for (const [name, command] of [
      ["complete", "Complete session"],
      ["delete", "Delete session"],
    ] as const) {
      await page.getByRole("button", { name: "More for this session" }).click();
      await page.getByRole("button", { name: command }).click();
      await page.getByRole("dialog").waitFor();
      expect(await outOfOrder(page, `dialog-${name}`, { looks: lightDarkSmall })).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    }
    await page.getByRole("button", { name: "Change members" }).click();
    await page.getByRole("dialog", { name: "Members of this session" }).waitFor();
    expect(await outOfOrder(page, "dialog-members", { looks: lightDarkSmall })).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });

  it.each(standing)("have nothing out of order where it is $name, and say so", async ({ name, says }) => {
    await openSession(idOf(name));
    await page.getByRole("main").getByText(says).first().waitFor();

    expect(await outOfOrder(page, `workshop-${name}`)).toEqual([]);
  });

  it("show one whose file somebody broke as broken, and name the file", async () => {
    const { id } = await hall.client.sessions.create({ name: "Broken" });
    await writeFile(join(hall.home, "sessions", id, "session.json"), "{ not JSON");
    await openSession(id);

    await page.getByRole("log").getByText("session.json is broken").waitFor();

    expect(await page.getByRole("button", { name: "Send" }).getAttribute("aria-disabled")).toBe("true");
    expect(await outOfOrder(page, "workshop-broken")).toEqual([]);
  });

  const idOf = (name: string): SessionId => ids.get(name) ?? newSessionId();
});

describe("layers above every page", () => {
  it("have nothing out of order: the palette, with and without a find, and all keys", async () => {
    await goTo(page, hall.url);

    await page.keyboard.press("Control+k");
    await page.getByRole("option").first().waitFor();
    expect(await outOfOrder(page, "palette", { looks: lightDarkSmall })).toEqual([]);
    await page.keyboard.type("nobody knows this");
    await page.getByRole("option", { name: /New session named/ }).waitFor();
    expect(await outOfOrder(page, "palette-nothing")).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();

    expect(await outOfOrder(page, "keys", { looks: lightDarkSmall })).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });
});

describe("the gallery", () => {
  /** It shows everything there is, and axe looks at every bit of it. */
  const timeout = 180_000;
  /** On a small screen axe is through with colours in half the time. Keys on buttons, which it does not have, are looked at in dialogs and on pages. */
  const looks = [
    { theme: "light", width: 1440, finds: "shape" },
    { theme: "light", width: 390, finds: "everything" },
    { theme: "dark", width: 390, finds: "colours" },
  ] as const;

  it("has nothing out of order: every element in every state", { timeout }, async () => {
    await goTo(page, `${hall.url}/gallery`);
    await page.getByRole("heading", { name: "Colour" }).waitFor();

    expect(await outOfOrder(page, "gallery", { looks })).toEqual([]);
  });
});

describe("a page that is not there, or cannot be drawn", () => {
  it("says in the house style that nothing is there", async () => {
    const nowhere = await openAnyhow("/no/such/page");
    await nowhere.getByRole("heading", { level: 1, name: "Nothing is here" }).waitFor();

    expect(await outOfOrder(nowhere, "not-found", { looks: lightDarkSmall })).toEqual([]);
  });

  it("says that it could not be drawn and what is safe, and is drawn when somebody tries again", async () => {
    const { id } = await hall.client.sessions.create({ name: "Unreadable" });
    const file = createLayout(hall.home).session(id).messages;
    await mkdir(file);
    const broken = await openAnyhow(`/sessions/${id}`);
    await broken.getByRole("heading", { level: 1, name: "This page could not be drawn" }).waitFor();

    expect(await outOfOrder(broken, "error-page", { looks: lightDarkSmall })).toEqual([]);
    const log = await readFile(join(hall.home, "logs/hall.log"), "utf8");
    expect(log.split("\n").find((line) => line.includes("page could not be drawn") && line.includes(id))).toContain(
      "a folder stands where a file belongs",
    );
    await rm(file, { recursive: true });
    await broken.getByRole("button", { name: "Try again" }).click();
    await broken.getByRole("heading", { level: 1, name: "Unreadable" }).waitFor();
  });

  it("says as a last resort that the hall cannot draw its pages", async () => {
    const { context, tab } = await browser.window({ expects: /./ });
    await context.request.post(`${hall.url}/api/login`, { data: { token } });
    // What every page has around it breaks, and with it everything that could tell of it in style.
    await context.addInitScript("globalThis.BroadcastChannel = undefined");
    const last = await tab(hall.url);

    await last.getByRole("heading", { level: 1, name: "The hall could not draw its pages" }).waitFor();

    expect(await outOfOrder(last, "last-resort", { looks: lightDarkSmall })).toEqual([]);
  });
});

const openSession = (id: SessionId): Promise<void> => goTo(page, `${hall.url}/sessions/${id}`);

/** A tab in which troubles are the point. */
async function openAnyhow(path: string): Promise<Page> {
  const anyhow = await browser.blank({ expects: /./ });
  await anyhow.context().request.post(`${hall.url}/api/login`, { data: { token } });
  await anyhow.goto(`${hall.url}${path}`);
  return anyhow;
}
