import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { isAlive, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { send } from "./session-stage.ts";

const hostile = `<script>window.taken = 1</script><img src="x" onerror="window.taken = 2">

<a href="javascript:window.taken = 3">raw link</a>

[a link](javascript:window.taken=4) [data](data:text/html,<script>window.taken=5</script>) [the hall](/api/sessions) [away](https://example.org/path)

![tracker](https://example.org/pixel.png) <https://example.org/plain>

The end.`;

let browser: TestBrowser;
let hall: Hall;
/** Where the answer arrived, and what was asked for elsewhere meanwhile. */
let page: Page;
const foreign: string[] = [];

beforeAll(async () => {
  const model = await startScriptedModel({ script: { name: "hostile", turns: [{ reply: { text: hostile } }] } });
  [browser, hall] = await Promise.all([
    startBrowser(),
    startSharedHall({ bundled: false, waiting: false, env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "sk-ant-test" } }),
  ]);
  const { id } = await hall.client.sessions.create({ name: "Hostile" });
  const { context, tab } = await browser.window({ lasts: true });
  context.on("request", (request) => request.url().startsWith(hall.url) || foreign.push(request.url()));
  page = await tab(`${hall.url}/sessions/${id}`);
  await isAlive(page);
  await send(page, "anything");
  await page.getByRole("log").getByText("The end.").waitFor();
  return () => model.close();
});

describe("pages that show text of others", () => {
  it("send a policy that allows no script without its nonce, and have none (SEC-6)", async () => {
    const response = await fetch(hall.url);
    const nonce = /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "")?.[1];
    const scripts = [...(await response.text()).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);

    expect(nonce).toMatch(/^[A-Za-z0-9+/=]{16,}$/);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  it("use a new nonce for each answer (SEC-6)", async () => {
    const [one, two] = await Promise.all([fetch(hall.url), fetch(hall.url)]);

    expect(one.headers.get("content-security-policy")).not.toBe(two.headers.get("content-security-policy"));
  });

  it.each(["while it arrives", "after a reload"])("keep HTML of a model as text, %s (SEC-6)", async (when) => {
    if (when === "after a reload") await page.reload();
    const log = page.getByRole("log");
    await log.getByText("The end.").waitFor();

    expect(await log.innerText()).toContain('<img src="x" onerror="window.taken = 2">');
    expect(await log.locator("img, script, iframe").count()).toBe(0);
    expect(await page.evaluate("window.taken")).toBeUndefined();
  });

  it("show where a link leads, open it apart, and make no link of what is no web address (SEC-6)", async () => {
    // The time of a message is a link to it, which is ours.
    const links = page.getByRole("log").locator('a:not([href^="#msg_"])');
    await links.nth(2).waitFor();

    const targets = await Promise.all((await links.all()).map((link) => link.getAttribute("href")));

    expect(targets).toEqual(["https://example.org/path", "https://example.org/pixel.png", "https://example.org/plain"]);
    expect(await links.first().getAttribute("rel")).toContain("noopener");
    expect(await links.first().getAttribute("target")).toBe("_blank");
    expect(await page.getByRole("log").innerText()).toContain("away (example.org)");
  });

  it("fetch nothing from elsewhere (SEC-6)", () => {
    expect(foreign).toEqual([]);
  });
});
