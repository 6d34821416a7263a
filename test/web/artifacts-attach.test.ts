import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { goTo, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { lightDarkSmall, outOfOrder } from "./looks.ts";

let browser: TestBrowser;
let hall: Hall;
let page: Page;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  page = await browser.blank({ lasts: true });
});

describe("attaching files to a message", () => {
  it("puts them into the session and their paths into the message, several at once", async () => {
    const { id } = await openSession(page);
    await page.getByRole("textbox", { name: "Message" }).fill("Look at these.");

    await choose(page, { name: "täglich.txt", content: "Grüße" }, { name: "lag.csv", content: "a,b\n" });
    await expect.poll(() => draft(page)).toContain("artifacts/lag.csv");

    expect(await draft(page)).toMatch(/^Look at these\.\s[^]*artifacts\/täglich\.txt[^]*artifacts\/lag\.csv/);
    expect((await hall.client.sessions.artifacts.list(id)).artifacts.map(({ path }) => path)).toEqual(["lag.csv", "täglich.txt"]);
    await page
      .getByRole("region", { name: "Artifacts" })
      .getByRole("link", { name: /lag\.csv/ })
      .waitFor();
  });

  it("takes a name that is taken under another one, and says which", async () => {
    await openSession(page);
    await choose(page, { name: "same.txt", content: "one" });
    await expect.poll(() => draft(page)).toContain("artifacts/same.txt");

    await choose(page, { name: "same.txt", content: "two" });

    await expect.poll(() => draft(page)).toMatch(/artifacts\/same\.txt[^]*artifacts\/same.+\.txt/);
  });

  it("takes files that are dropped or pasted", async () => {
    const { id } = await openSession(page);

    expect(await bring(page, "drop", { files: ["dropped.txt"] })).toBe("taken");
    expect(await bring(page, "paste", { files: ["pasted.txt"] })).toBe("taken");

    await expect.poll(() => draft(page)).toMatch(/artifacts\/dropped\.txt[^]*artifacts\/pasted\.txt/);
    const { artifacts } = await hall.client.sessions.artifacts.list(id);
    expect(artifacts).toMatchObject([
      { path: "dropped.txt", size: 7 },
      { path: "pasted.txt", size: 7 },
    ]);
  });

  it("takes files that are dropped anywhere on the page, and shows where they go", async () => {
    await openSession(page);
    const target = page.getByText("Drop files to attach them");

    expect(await bring(page, "dragover", { files: ["beside.txt"], on: "[role=log]" })).toBe("taken");
    await target.waitFor();
    expect(await bring(page, "drop", { files: ["beside.txt"], on: "[role=log]" })).toBe("taken");
    expect(await bring(page, "drop", { files: ["far.txt"], on: "nav" })).toBe("taken");

    await target.waitFor({ state: "detached" });
    await expect.poll(() => draft(page)).toMatch(/artifacts\/beside\.txt[^]*artifacts\/far\.txt/);
    expect(await bring(page, "drop", { files: [], text: "only words", on: "[role=log]" })).toBe("left");
  });

  it("leaves pasted text to the message, also where a picture of it comes along", async () => {
    await openSession(page);

    expect(await bring(page, "paste", { text: "only words", files: [] })).toBe("left");
    expect(await bring(page, "paste", { text: "a table", files: ["table.png"] })).toBe("left");
    expect(await page.getByRole("list", { name: "Files being attached" }).count()).toBe(0);
  });

  it("shows how far it is, fits and is named in every look, and stops when it is cancelled", async () => {
    const { id } = await openSession(page);
    let pieces = 0;
    await page.route("**/artifacts", async (route) => {
      // The first piece goes through; the next is held until somebody has had enough.
      if (route.request().method() === "POST" && (pieces += 1) > 1) return;
      await route.continue();
    });

    await choose(page, { name: "large.bin", content: "x".repeat(3_000_000) }, { name: `${"long-".repeat(30)}.txt`, content: "a" });
    const uploads = page.getByRole("list", { name: "Files being attached" });
    await uploads.getByText("737 kB of 3.0 MB").waitFor();
    await uploads.getByRole("button", { name: "Cancel long-" }).waitFor();
    expect(await outOfOrder(page, "attach", { looks: lightDarkSmall })).toEqual([]);
    await uploads.getByRole("button", { name: "Cancel long-" }).click();
    await uploads.getByRole("button", { name: "Cancel large.bin" }).click();

    await uploads.waitFor({ state: "detached" });
    expect(await draft(page)).toBe("");
    expect((await hall.client.sessions.artifacts.list(id)).artifacts).toEqual([]);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  it("says in words why a file could not be taken, and goes on with the others", async () => {
    const own = await browser.blank({ expects: /409|status of 4|conflict/ });
    await openSession(own);
    let refused = false;
    await own.route("**/artifacts", async (route) => {
      if (route.request().method() !== "POST" || refused) return route.continue();
      refused = true;
      const problem = { type: "about:blank", title: "Conflict", status: 409, code: "conflict", detail: "The disk is full." };
      await route.fulfill({ status: 409, contentType: "application/problem+json", body: JSON.stringify(problem) });
    });

    await choose(own, { name: "unlucky.txt", content: "a" }, { name: "lucky.txt", content: "b" });

    await own.getByRole("list", { name: "Files being attached" }).getByText("The disk is full.").waitFor();
    await expect.poll(() => draft(own)).toContain("artifacts/lucky.txt");
    await own.getByRole("button", { name: "Dismiss unlucky.txt" }).click();
    expect(await draft(own)).not.toContain("unlucky");
  });
});

const draft = (page: Page): Promise<string> => page.getByRole("textbox", { name: "Message" }).inputValue();

const choose = (page: Page, ...files: { name: string; content: string }[]): Promise<void> =>
  page
    .getByLabel("Files to attach")
    .setInputFiles(files.map(({ name, content }) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) })));

async function openSession(page: Page): Promise<{ id: SessionId }> {
  const { id } = await hall.client.sessions.create({ name: "Attaching" });
  await goTo(page, `${hall.url}/sessions/${id}`);
  return { id };
}

type Brought = {
  files: string[];
  text?: string;
  /** Where, if not on the message. */ on?: string;
};

/** What a browser does when somebody drops or pastes something; answers whether the page took it for itself. */
async function bring(page: Page, how: "dragover" | "drop" | "paste", what: Brought): Promise<"taken" | "left"> {
  await page.getByRole("textbox", { name: "Message" }).focus();
  return page.evaluate<"taken" | "left">(`((how, { files, text, on }) => {
    const element = on === undefined ? document.activeElement : document.querySelector(on);
    const data = new DataTransfer();
    if (text !== undefined) data.setData("text/plain", text);
    for (const name of files) data.items.add(new File(["by hand"], name));
    const shared = { bubbles: true, cancelable: true };
    const event =
      how === "paste"
        ? new ClipboardEvent("paste", { ...shared, clipboardData: data })
        : new DragEvent(how, { ...shared, dataTransfer: data });
    return element.dispatchEvent(event) ? "left" : "taken";
  })("${how}", ${JSON.stringify(what)})`);
}
