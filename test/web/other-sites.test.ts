import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { entryAddress } from "../../src/schema/entry-code.ts";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";
import { isAlive, startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";

let browser: TestBrowser;
let hall: Hall;
/** A page of another site: for a browser, `localhost` is another site than `127.0.0.1`. */
let elsewhere: string;

beforeAll(async () => {
  [browser, hall] = await Promise.all([startBrowser(), startSharedHall({ bundled: false, waiting: false })]);
  const server = createServer((_request, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Hello"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  elsewhere = `http://localhost:${(server.address() as AddressInfo).port}/`; // a TCP server has such an address
  return () => void server.close();
});

it("a page of another site reads nothing of a hall, not even blindly (SEC-3)", async () => {
  const page = await browser.blank({ expects: /403|blocked|refused|Refused|ERR_/ });
  await page.goto(elsewhere);
  // The page itself learns no status, and neither do the events of the browser for a page.
  const network = await page.context().newCDPSession(page);
  const paths = new Map<string, string>();
  const statuses = new Map<string, number>();
  network.on("Network.requestWillBeSent", ({ requestId, request }) => paths.set(requestId, request.url.replace(hall.url, "")));
  network.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode }) => statuses.set(requestId, statusCode));
  await network.send("Network.enable");

  await page.evaluate(`(async () => {
    const blindly = (path) => fetch(${JSON.stringify(hall.url)} + path, { mode: "no-cors", credentials: "include" }).catch(() => null);
    for (const path of ["/api/sessions?q=a", "/?blind", "/settings", "/_next/static/x.js"]) await blindly(path);
    const put = (name, path) => new Promise((done) => {
      const element = document.createElement(name);
      element.onload = element.onerror = done;
      element.src = ${JSON.stringify(hall.url)} + path;
      document.body.append(element);
    });
    await put("img", "/api/health?img");
    await put("script", "/api/health?script");
  })()`);

  const asked = ["/api/sessions?q=a", "/?blind", "/settings", "/_next/static/x.js", "/api/health?img", "/api/health?script"];
  await expect.poll(() => statuses.size).toBe(asked.length);
  expect([...statuses].map(([id, status]) => [paths.get(id), status])).toEqual(asked.map((path) => [path, 403]));
  await network.detach();
});

it("a link on a page of another site opens the hall, also by the printed address, and the page works (SEC-3)", async () => {
  const page = await browser.blank();
  for (const address of [`${hall.url}/settings`, entryAddress(hall.url, await hall.client.entryCode())]) {
    await page.goto(elsewhere);
    await page.evaluate(`document.body.innerHTML = '<a href=${JSON.stringify(address)}>there</a>'`);
    await page.getByRole("link", { name: "there" }).click();

    // It comes alive with its scripts, its calls and its stream, all from the same site.
    await isAlive(page);
    expect(new URL(page.url()).origin).toBe(hall.url);
  }
});
