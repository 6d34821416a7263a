import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { composeTestHall, openTestHall } from "../../src/server/composed-hall.testing.ts";
import type { TestHall } from "../../src/server/composed-hall.testing.ts";
import { openHallInProcess } from "../../src/server/hall-in-process.testing.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { patience, putMember, statusOf, untilConnected } from "./members-by-hand.ts";
import { pliableMember } from "./pliable-member.fixture.ts";

describe("a hall with guild members", () => {
  let hall: TestHall;
  beforeAll(async () => {
    const { close, ...open } = await openTestHall({
      config: { members: { handshakeSeconds: 600 } },
      async prepare(home) {
        await putMember(home, "hanging", playedBy("stdio", "hangs"));
        await putMember(home, "dying", playedBy("stdio", "dies"));
        await putMember(home, "working", playedBy("http", "well"));
        await putMember(home, "nameless", { ...playedBy("stdio", "well"), name: MemberName.parse("somebody-else") });
      },
    });
    hall = open;
    return close;
  });

  it("answers before its members do, and one that hangs, dies or cannot be read breaks no other (REQ-GH1-26)", async () => {
    await hall.client.health();
    await untilConnected(hall, "working");
    await expect.poll(() => statusOf(hall, "dying"), patience).toBe("error");

    expect(await statusOf(hall, "hanging")).toBe("disconnected");
    expect(await hall.client.roster.get("dying")).toMatchObject({
      status: "error",
      error: expect.stringContaining("I cannot go on.") as string,
    });
    expect(await hall.client.roster.get("nameless")).toMatchObject({ status: "error", startedAt: null });
    const answer = await hall.client.tools.invoke({ member: MemberName.parse("working"), tool: "echo", input: { a: 1 } });
    expect(answer.content).toEqual([{ type: "text", text: '{"a":1}' }]);
  });

  it("notices members that a person puts there, and takes away, while it runs: with tools, with the worker capability, and with both (REQ-WD-2, REQ-WD-4)", async () => {
    const folder = await putMember(hall.home, "tools", pliableMember());
    await putMember(hall.home, "worker", { ...pliableMember({ HAS_TOOLS: "no" }), capabilities: ["worker"] });
    await putMember(hall.home, "team/both", { ...pliableMember(), capabilities: ["worker"] });
    const names = ["both", "tools", "worker"];
    const added = async () => (await hall.client.roster.list()).members.filter(({ name }) => names.includes(name));

    await untilConnected(hall, ...names);
    const there = await added();
    await rm(folder, { recursive: true });

    await expect.poll(async () => (await added()).map(({ name }) => name), patience).toEqual(["both", "worker"]);
    expect(there.map(({ name, capabilities, toolCount }) => [name, capabilities, toolCount])).toEqual([
      ["both", ["worker"], 4],
      ["tools", [], 4],
      ["worker", ["worker"], 0],
    ]);
    for (const name of ["worker", "both"]) await hall.client.roster.remove(name);
  });

  it("tells everybody who watches what becomes of a member", async () => {
    const seen: (string | null)[] = [];

    for await (const { event } of hall.client.events({ onOpen: () => void putMember(hall.home, "pliable", pliableMember()) })) {
      if (event.event !== "roster" || event.data.id !== "pliable") continue;
      seen.push(event.data.status);
      if (event.data.status === "connected") await hall.client.roster.remove("pliable");
      if (event.data.status === null) break;
    }

    expect(seen[0]).toBe("disconnected");
    expect(seen).toContain("connected");
    expect(seen.at(-1)).toBeNull();
  });
});

it("a hall opens also where its own members cannot be copied, and says why in its log", async () => {
  const { client, home } = await composeTestHall({
    prepare: (home) => mkdir(join(home, "state/bundled-members.json"), { recursive: true }),
    project: join(import.meta.dirname, "../.."),
  });

  expect((await client.roster.list()).members).toEqual([]);
  await expect.poll(() => readFile(join(home, "logs/hall.log"), "utf8"), patience).toContain("bundled-members.json");
});

it("a hall comes back to what a person accepted after a restart, and shows what changed meanwhile (SEC-12)", async () => {
  const top = await temporaryFolder();
  const home = join(top, "home");
  const open = (folder: string) => openHallInProcess({ folder: join(top, folder), home, env: { ...process.env, ANTHROPIC_BASE_URL: "" } });
  const folder = await putMember(home, "pliable", pliableMember());
  const hall = await open("first");
  await untilConnected(hall, "pliable");
  await hall.close();
  await writeFile(join(folder, "description.txt"), "");

  const again = await open("second");
  await untilConnected(again, "pliable");

  const { tools } = await again.client.roster.get("pliable");
  await again.close();
  expect(tools.filter(({ accepted }) => !accepted).map(({ name, change }) => [name, change?.kind])).toEqual([["echo", "changed"]]);
});
