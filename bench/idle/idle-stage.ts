import { spawn } from "node:child_process";
import { chromium } from "playwright-core";
import type { Page } from "playwright-core";
import { unpackChromium } from "../../test/web/chromium.ts";
import { setLoadStage } from "../load/load-stage.ts";

const furniture = { sessions: 1000, jobs: 1000, members: 4, toolsEach: 25, hasBundled: true };

export type IdleStage = {
  hallPid: number;
  browserPid: number;
  /** A Node server that does nothing, to compare with. */
  barePid: number;
  pages: readonly Page[];
  /** What the hall cannot let go, in MiB. To ask it costs it some of the time of a processor. */
  liveHeap(): Promise<number>;
  /** How often the model was asked since the start. */
  modelCalls(): number;
  end(): Promise<void>;
};

/** A hall that was used and is used no more: a query and its answer, members, a worker, and three pages that somebody left open. */
export async function setIdleStage(): Promise<IdleStage> {
  const stage = await setLoadStage(furniture, () => ({ text: "Done." }));
  const { client, url } = stage.hall;
  const { id } = await client.sessions.create({ name: "Left open" });
  await client.sessions.send(id, "Answer, and rest.");
  for await (const { event } of client.sessions.events(id)) if (event.event === "done") break;

  const { executablePath, env } = await unpackChromium();
  const args = ["--no-sandbox", "--disable-gpu"];
  const server = await chromium.launchServer({ executablePath, env: { ...process.env, ...env }, args });
  const browser = await chromium.connect(server.wsEndpoint());
  const pages: Page[] = [];
  for (const path of ["/", "/jobs", `/sessions/${id}`]) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(url + path);
    await page.locator("[data-live=online]").waitFor({ state: "attached" });
    pages.push(page);
  }
  const bare = spawn(process.execPath, ["--eval", 'require("node:http").createServer().listen(0, "127.0.0.1")'], { stdio: "ignore" });
  return {
    hallPid: stage.pid,
    browserPid: pidOf(server.process()),
    barePid: pidOf(bare),
    pages,
    liveHeap: async () => (await stage.memory()).live,
    modelCalls: stage.modelCalls,
    async end() {
      bare.kill("SIGKILL");
      await browser.close();
      await server.close();
      await stage.end();
    },
  };
}

function pidOf({ pid }: { pid?: number | undefined }): number {
  if (pid === undefined) throw new Error("A process that is to be measured was never started.");
  return pid;
}
