import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createHallClient } from "../../src/client/hall-client.ts";
import { Config } from "../../src/schema/config.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { Roster } from "../../src/schema/roster.ts";
import { composeHall } from "../../src/server/compose.ts";
import { createMachine } from "../../src/server/without-hall.ts";
import type { BenchRow } from "../bench-row.ts";
import type { Effort } from "../effort.ts";
import { serving } from "../hall/serving.ts";
import { measured } from "../measured.ts";
import { median } from "../median.ts";
import { timed } from "../timed.ts";
import { connectBare } from "./bare-client.ts";
import { addPublicMember } from "./public-member.ts";

const rounds = { all: 300, warmUp: 30 };
const transports = ["stdio", "http"] as const;

type Call = (member: string, message: string) => Promise<unknown>;

/** A call through the hall beside the same call by the bare client, in turns. */
export async function benchCalls(effort: Effort): Promise<BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), "guild-hall-bench-"));
  try {
    for (const transport of transports) await addPublicMember(home, transport, transport);
    return [...(await atHandler(home, effort)), ...(await overHttp(home, effort))];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function atHandler(home: string, effort: Effort): Promise<BenchRow[]> {
  const hall = await composeHall({
    home,
    config: Config.parse({}),
    token: null,
    version: "bench",
    machine: createMachine({
      env: { ...process.env, ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: "", HOME: home },
      folder: home,
      installation: [],
    }),
    startedAt: 0,
    project: home,
  });
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return (await hall.fetch(new Request(`http://hall${path}`, body === undefined ? {} : post))).json();
  };
  try {
    // Members are started when the hall is open.
    await hall.announce("http://127.0.0.1:1");
    while (!isWhole(Roster.parse(await ask("/api/roster")))) await pause(50);
    return await compare(effort, "at the fetch handler", 3, (member, message) =>
      ask("/api/tools/invoke", { member, tool: "echo", input: { message } }),
    );
  } finally {
    await hall.close();
  }
}

const overHttp = (home: string, effort: Effort): Promise<BenchRow[]> =>
  serving(home, async (url) => {
    const hall = createHallClient({ baseUrl: url });
    while (!isWhole(await hall.roster.list())) await pause(50);
    return compare(effort, "over HTTP", 8, (member, message) =>
      hall.tools.invoke({ member: MemberName.parse(member), tool: "echo", input: { message } }),
    );
  });

const isWhole = ({ members }: Roster): boolean =>
  transports.every((name) => members.some((member) => member.name === name && member.status === "connected"));

async function compare(effort: Effort, where: string, budgetMs: number, call: Call): Promise<BenchRow[]> {
  const warmUp = effort.rounds(rounds.warmUp);
  const rows: BenchRow[] = [];
  for (const transport of transports) {
    const bare = await connectBare[transport]();
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < effort.rounds(rounds.all); round += 1) {
      theirs.push(await timed(() => bare.call(`round ${round}`)));
      ours.push(await timed(() => call(transport, `round ${round}`)));
    }
    await bare.close();
    rows.push(
      measured({
        name: `a call ${where}, member over ${transport}`,
        ours: median(ours.slice(warmUp)),
        unit: "ms",
        baseline: { value: median(theirs.slice(warmUp)), of: "bare MCP client" },
        budget: { more: budgetMs },
      }),
    );
  }
  return rows;
}
