import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Locator, Page, Response } from "playwright-core";
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

const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  page = await browser.blank({ lasts: true });
});

describe("the artifacts of a session", () => {
  it("are listed with their size, and a file that arrives appears by itself", async () => {
    const { id } = await openWith({ "report.md": "# Report\n\nAll is *well*." });
    const panel = page.getByRole("region", { name: "Artifacts" });
    await panel.getByRole("link", { name: /report\.md.*24 bytes.*now/ }).waitFor();

    await hall.client.sessions.artifacts.add(id, "data/lag.csv", new Blob(["a,b\n1,2\n"]));

    await panel.getByRole("link", { name: /data\/lag\.csv.*8 bytes/ }).waitFor();
    expect(await panel.getByRole("link").count()).toBe(2);
  });

  it("are shown as text, formatted where they are Markdown, and have an address of their own", async () => {
    const { url } = await openWith({ "notes/report.md": "# Report\n\nAll is *well*.", "code.ts": "export const a = 1;\n" });

    await link(page, "code.ts").click();
    expect(await page.getByRole("dialog", { name: "code.ts" }).getByRole("region").innerText()).toBe("export const a = 1;\n");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.url()).toBe(url);
    await page.goto(`${url}#artifact=notes/report.md`);

    const dialog = page.getByRole("dialog", { name: "report.md" });
    await dialog.getByRole("heading", { name: "Report", exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Source" }).click();
    expect(await dialog.getByRole("region").innerText()).toContain("# Report");
  });

  it("one that is open stays open while its page is drawn again, and one that was closed stays closed", async () => {
    const { id, url } = await openWith({ "notes.txt": "Open me." });
    await link(page, "notes.txt").click();
    await content(page).getByText("Open me.").waitFor();

    await hall.client.sessions.change(id, { name: "Drawn again" });
    // The title is what only the server writes.
    await expect.poll(() => page.title()).toContain("Drawn again");
    expect(await content(page).innerText()).toBe("Open me.");
    expect(page.url()).toBe(`${url}#artifact=notes.txt`);
    await page.keyboard.press("Escape");
    await hall.client.sessions.change(id, { name: "And once more" });
    await expect.poll(() => page.title()).toContain("And once more");

    expect(await page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => page.url()).toBe(url);
  });

  it("are had as files under their own name", async () => {
    await openWith({ "Zürich plan.txt": "Grüße" });
    await link(page, "Zürich plan.txt").click();

    const coming = page.waitForEvent("download");
    await page.getByRole("dialog").getByRole("link", { name: "Download" }).click();
    const file = await coming;

    expect(file.suggestedFilename()).toBe("Zürich plan.txt");
  });

  it("act neither in the list nor when they are shown: a page, a drawing with a script, Markdown with HTML and addresses (SEC-6)", async () => {
    const hostile = `<img src=x onerror="window.taken = 1"><script>window.taken = 2</script>`;
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onerror="" onload="window.taken=3"><script>window.taken=4</script></svg>`;
    const text = `${hostile}\n\n[x](javascript:window.taken=5) ![p](https://example.org/p.png)`;
    await openWith({ "page.html": hostile, "drawing.svg": drawing, "evil.md": text });

    for (const name of ["page.html", "drawing.svg", "evil.md"]) {
      await link(page, name).click();
      const dialog = page.getByRole("dialog", { name });
      await dialog.getByText("onerror").first().waitFor();

      expect(await page.evaluate("window.taken")).toBeUndefined();
      expect(await dialog.locator("img, svg script, iframe, object, embed, a[href^='javascript:']").count()).toBe(0);
      await page.keyboard.press("Escape");
    }
  });

  it("a name that would be markup, or turns the writing, is only a name", async () => {
    const name = `<img src=x onerror=taken=1> "quoted" عربي zero\u200bwidth.txt`;
    await openWith({ [name]: "text" });

    await page.getByRole("region", { name: "Artifacts" }).getByText("zero[U+200B]width.txt").click();

    await page.getByRole("dialog").getByRole("region").getByText("text").waitFor();
    expect(await page.evaluate("window.taken")).toBeUndefined();
  });

  it("of a text of 50 MB only the beginning is read", async () => {
    await openWith({ "huge.log": "A line of a log that goes on and on.\n".repeat(1_400_000) });
    const sizes: number[] = [];
    const listen = (response: Response) => {
      if (response.url().includes("huge.log")) sizes.push(Number(response.headers()["content-length"]));
    };
    page.on("response", listen);

    await link(page, "huge.log").click();
    await page.getByRole("dialog").getByText("This is the first 200 kB of 52 MB.").waitFor();

    expect(sizes).toEqual([200_000]);
    page.off("response", listen);
  });

  it("what is neither text nor a picture is offered as a file; a picture is drawn, and one that is none is not, until it is", async () => {
    const { id } = await openWith({
      "tool.bin": Buffer.from([0, 1, 2, 255]),
      "dot.png": png,
      "fake.png": "not a picture",
      "empty.txt": "",
    });

    await link(page, "tool.bin").click();
    await page.getByText("This is no text.").waitFor();
    await page.keyboard.press("Escape");
    await link(page, "dot.png").click();
    const drawn = page.getByRole("img", { name: "Artifact dot.png" });
    await expect.poll(() => drawn.evaluate("document.querySelector('dialog[open] img').naturalWidth")).toBe(1);
    await page.keyboard.press("Escape");
    await link(page, "fake.png").click();
    await page.getByText("This is not the picture that its name says.").waitFor();
    await writeFile(join(hall.home, "sessions", id, "artifacts", "fake.png"), png);
    await hall.client.sessions.artifacts.add(id, "news.txt", new Blob(["The list is read again."]));
    await page.getByRole("img", { name: "Artifact fake.png" }).waitFor();
    await page.keyboard.press("Escape");
    await link(page, "empty.txt").click();

    await page.getByText("It is empty.").waitFor();
  });

  it("are in order for axe and for thumbs in every look, in the list and when one is shown", async () => {
    await openWith({ "report.md": "# Report\n\nAll is well.", [`${"long-".repeat(40)}.txt`]: "x".repeat(5000) });
    await link(page, "long-").waitFor();

    const toArtifacts = () =>
      page
        .getByRole("group", { name: "Session parts" })
        .getByRole("button", { name: /^Artifacts/ })
        .click();
    expect(await outOfOrder(page, "artifacts", { looks: lightDarkSmall, onSmall: toArtifacts })).toEqual([]);
    await link(page, "long-").click();
    await content(page).waitFor();

    expect(await outOfOrder(page, "artifact", { looks: lightDarkSmall })).toEqual([]);
  });

  it("one that an address names is shown where the panel is not, on a small screen", async () => {
    const { id } = await hall.client.sessions.create({ name: "Small" });
    await hall.client.sessions.artifacts.add(id, "notes.txt", new Blob(["Here I am."]));

    const small = await browser.open(`${hall.url}/sessions/${id}#artifact=notes.txt`, { width: 390 });

    await content(small).getByText("Here I am.").waitFor();
    await small.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await small.getByRole("textbox", { name: "Message" }).click();
    expect(small.url()).toBe(`${hall.url}/sessions/${id}`);
  });
});

describe("attaching files to a message", () => {
  it("puts them into the session and their paths into the message, several at once", async () => {
    const { id } = await openWith({});
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
    await openWith({});
    await choose(page, { name: "same.txt", content: "one" });
    await expect.poll(() => draft(page)).toContain("artifacts/same.txt");

    await choose(page, { name: "same.txt", content: "two" });

    await expect.poll(() => draft(page)).toMatch(/artifacts\/same\.txt[^]*artifacts\/same.+\.txt/);
  });

  it("takes files that are dropped or pasted", async () => {
    const { id } = await openWith({});

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
    await openWith({});
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
    await openWith({});

    expect(await bring(page, "paste", { text: "only words", files: [] })).toBe("left");
    expect(await bring(page, "paste", { text: "a table", files: ["table.png"] })).toBe("left");
    expect(await page.getByRole("list", { name: "Files being attached" }).count()).toBe(0);
  });

  it("shows how far it is, fits and is named in every look, and stops when it is cancelled", async () => {
    const { id } = await openWith({});
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
    await openWith({}, own);
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

const content = (page: Page): Locator => page.getByRole("dialog").getByRole("region");

const link = (page: Page, name: string): Locator => page.getByRole("region", { name: "Artifacts" }).getByRole("link", { name }).first();

async function openWith(files: Record<string, string | Buffer>, tab = page): Promise<{ id: SessionId; url: string }> {
  const { id } = await hall.client.sessions.create({ name: "With files" });
  for (const [name, content] of Object.entries(files)) {
    const file = join(hall.home, "sessions", id, "artifacts", name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const url = `${hall.url}/sessions/${id}`;
  await goTo(tab, url);
  return { id, url };
}

const draft = (page: Page): Promise<string> => page.getByRole("textbox", { name: "Message" }).inputValue();

const choose = (page: Page, ...files: { name: string; content: string }[]): Promise<void> =>
  page
    .getByLabel("Files to attach")
    .setInputFiles(files.map(({ name, content }) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) })));

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
