import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Script } from "../../src/scripted-model/script.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { spawnHall } from "../hall-process.ts";
import type { HallProcess } from "../hall-process.ts";
import { isAlive, leadersStartedBy, untilGone } from "./process-lives.ts";
import { sayOfEach } from "./processes.ts";
import { environmentOf, withModel } from "./scripted-hall.ts";
import type { Round } from "./strike.ts";

const owners = ["session", "job"] as const;
const moments = ["answer", "tool", "retry"] as const;
type Combination = { owner: (typeof owners)[number]; moment: (typeof moments)[number] };
const combinations: readonly Combination[] = owners.flatMap((owner) => moments.map((moment) => ({ owner, moment })));

/** Public addresses, so that nothing refuses them; the proxy is asked for them and never answers. */
const pageOf = { session: "93.184.216.34", job: "93.184.216.35" } as const;
const task = ({ owner, moment }: Combination): string => `The ${moment} of a ${owner}.`;

const script: Script = {
  turns: [
    { when: { userContains: "The answer of" }, reply: { text: "word ".repeat(2000), chunkSize: 5, chunkDelayMs: 20 } },
    { when: { userContains: "The retry of" }, reply: { error: { status: 529, message: "Overloaded." } } },
    ...owners.map((owner) => ({
      when: { userContains: `The tool of a ${owner}` },
      reply: { tools: [{ name: "WebFetch", input: { url: `https://${pageOf[owner]}/`, prompt: "What does it say?" } }] },
    })),
  ],
};

/** No request may come later than this after the hall was killed, and the last agent must be gone. */
const graceMs = 250;
/** In `npm test`, where the processor is shared with other suites, to clear away eight killed processes can take longer. */
const graceOfTestMs = 1000;
/** An agent that waits for a retry asks again within this time. */
const watchMs = 1500;
const longestMs = 1000;

/** Kills the hall while a session and a worker's job are in an answer, in a tool and in a wait for a retry. None of their agents may go on. */
export function killHallInRuns({ home, random, measured, isShort }: Round): Promise<string[]> {
  return withModel(script, async (model) => {
    const proxy = await startSilentProxy();
    const proxied = { HTTPS_PROXY: proxy.url, NO_PROXY: "127.0.0.1" };
    const hall = await spawnHall(home, { waiting: false, config: webTools, env: { ...environmentOf(model), ...proxied } });
    try {
      await untilMembersRun(hall);
      await Promise.all([...combinations.map((each) => start(hall, each)), ...combinations.map((each) => isUnderWay(each, model, proxy))]);
      await pause(random.below(longestMs));
      return await killAndWatch(hall, model, { measured, aliveMs: isShort ? graceOfTestMs : graceMs });
    } finally {
      await hall.end("SIGKILL");
      await proxy.close();
    }
  });
}

const webTools = "agent:\n  webTools: true\n";

type Watch = { measured: (ms: number) => void; aliveMs: number };

async function killAndWatch(hall: HallProcess, model: ScriptedModel, { measured, aliveMs }: Watch): Promise<string[]> {
  const { agents, members } = leadersStartedBy(hall.home);
  const killedAt = performance.now();
  const ended = hall.end("SIGKILL");
  const asked = pause(graceMs).then(() => model.requests.length);
  const goneAt = await untilGone(agents, killedAt + aliveMs);
  await untilGone(members, killedAt + aliveMs);
  const left = [...agents, ...members].filter(isAlive).map(({ pid }) => pid);
  await ended;
  if (goneAt !== null) measured(goneAt - killedAt);
  const askedBefore = await asked;
  await pause(watchMs);
  const askedLater = model.requests.length - askedBefore;
  return [
    ...(agents.length === combinations.length ? [] : [`${agents.length} agents ran, and not ${combinations.length}.`]),
    ...(members.length === 2 ? [] : [`${members.length} members ran, and not 2.`]),
    ...(await sayOfEach(left, `was alive ${aliveMs} ms after its hall`)),
    ...(askedLater === 0 ? [] : [`The model was asked ${askedLater} times after the hall was dead for ${graceMs} ms.`]),
  ];
}

async function start({ client }: HallProcess, combination: Combination): Promise<void> {
  const text = task(combination);
  if (combination.owner === "job") return void (await client.jobs.dispatch("researcher", { description: text, task: text }));
  const { id } = await client.sessions.create({ name: text });
  await client.sessions.send(id, text);
}

async function isUnderWay(combination: Combination, model: ScriptedModel, proxy: SilentProxy): Promise<void> {
  await model.waitForRequest(({ conversation }) => conversation.userTexts.some((text) => text.includes(task(combination))));
  if (combination.moment === "tool") await proxy.isAsked(combination.owner);
}

async function untilMembersRun({ client }: HallProcess): Promise<void> {
  const areThere = async () => (await client.roster.list()).members.filter(({ status }) => status === "connected").length === 2;
  while (!(await areThere())) await pause(20);
}

type SilentProxy = { url: string; isAsked(owner: Combination["owner"]): Promise<unknown>; close(): Promise<void> };

/** A proxy that takes every request and never answers. Before a session fetches a page, the SDK asks Anthropic about its address. */
async function startSilentProxy(): Promise<SilentProxy> {
  const asked = { session: Promise.withResolvers<void>(), job: Promise.withResolvers<void>() };
  const server: Server = createServer().on("connect", ({ url = "" }, socket) => {
    socket.on("error", () => undefined);
    asked[url.startsWith(pageOf.job) ? "job" : "session"].resolve();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // a TCP server has such an address
  return {
    url: `http://127.0.0.1:${port}`,
    isAsked: (owner) => asked[owner].promise,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
