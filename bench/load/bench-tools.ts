import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { z } from "zod";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import type { BenchRow } from "../bench-row.ts";
import { measured } from "../measured.ts";
import { median } from "../median.ts";
import { timed } from "../timed.ts";
import type { Furniture, LoadStage } from "./load-stage.ts";

const budgetMs = 250;

/** The Roster with all tools of all members, beside asking as many members for theirs by the bare client. */
export async function benchTools({ hall }: LoadStage, { members, toolsEach }: Furniture, rounds: number): Promise<BenchRow[]> {
  const { mcp } = playedBy("stdio", "well", toolsEach);
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: mcp.args, stderr: "ignore" }));
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await timed(() => listAll(client, members)));
    ours.push(await timed(() => hall.client.roster.list()));
  }
  await client.close();
  const count = (members * toolsEach).toLocaleString("en");
  return [
    measured({
      name: `the Roster with ${count} tools of ${members} members`,
      ours: median(ours.slice(1)),
      unit: "ms",
      baseline: { value: median(bare.slice(1)), of: "bare MCP client asks for them" },
      budget: { most: budgetMs },
    }),
  ];
}

/** The client's own shape refuses all for the one tool that the played member gets wrong. */
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

async function listAll(client: Client, members: number): Promise<void> {
  for (let member = 0; member < members; member += 1) {
    let cursor: string | undefined;
    do ({ nextCursor: cursor } = await client.request({ method: "tools/list", params: cursor === undefined ? {} : { cursor } }, Page));
    while (cursor !== undefined);
  }
}
