import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { playedBy } from "../../src/adapters/members/played-member.testing.ts";
import { MemberName } from "../../src/schema/ids.ts";
import { startHallProcess, startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { patience, putMember, statusOf, untilConnected } from "./members-by-hand.ts";
import { pliableMember } from "./pliable-member.fixture.ts";

const freshHome = async (): Promise<string> => join(await temporaryFolder(), "home");

describe("a hall with guild members", () => {
  let hall: HallProcess;
  beforeAll(async () => {
    hall = await startSharedHall();
  });

  it("serves its own member from the first start on (REQ-GH1-5)", async () => {
    await untilConnected(hall, "example", "researcher");

    const { members } = await hall.client.roster.list();
    expect(members).toMatchObject([
      { name: "example", origin: "bundled", error: null },
      { name: "researcher", origin: "bundled", error: null },
    ]);
    expect(members[0]?.tools.every(({ accepted }) => accepted)).toBe(true);
  });

  it("answers before its members do, and one that hangs, dies or cannot be read breaks no other (REQ-GH1-26)", async () => {
    const home = await freshHome();
    await putMember(home, "hanging", playedBy("stdio", "hangs"));
    await putMember(home, "dying", playedBy("stdio", "dies"));
    await putMember(home, "working", playedBy("http", "well"));
    await putMember(home, "nameless", { ...playedBy("stdio", "well"), name: MemberName.parse("somebody-else") });

    const hall = await startHallProcess({ home, config: "members:\n  handshakeSeconds: 600\n" });
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

  it("opens also where its own member cannot be copied, and says why in its log", async () => {
    const home = await freshHome();
    await putMember(home, "working", playedBy("stdio", "well"));
    await mkdir(join(home, "state/bundled-members.json"), { recursive: true });

    const hall = await startHallProcess({ home });
    await untilConnected(hall, "working");

    expect((await hall.client.roster.list()).members.map(({ name }) => name)).toEqual(["working"]);
    await expect.poll(() => readFile(join(home, "logs/hall.log"), "utf8"), patience).toContain("bundled-members.json");
  });

  it("takes members with tools, with the worker capability, and with both (REQ-WD-2, REQ-WD-4)", async () => {
    await putMember(hall.home, "tools", pliableMember());
    await putMember(hall.home, "worker", { ...pliableMember({ HAS_TOOLS: "no" }), capabilities: ["worker"] });
    await putMember(hall.home, "both", { ...pliableMember(), capabilities: ["worker"] });

    await untilConnected(hall, "tools", "worker", "both");

    const { members } = await hall.client.roster.list();
    expect(members.map(({ name, capabilities, toolCount }) => [name, capabilities, toolCount])).toEqual([
      ["both", ["worker"], 4],
      ["example", [], expect.any(Number)],
      ["researcher", ["worker"], expect.any(Number)],
      ["tools", [], 4],
      ["worker", ["worker"], 0],
    ]);
    for (const name of ["tools", "worker", "both"]) await hall.client.roster.remove(name);
  });

  it("notices members that a person puts there, and takes away, while it runs", async () => {
    const folder = await putMember(hall.home, "late", pliableMember());
    await putMember(hall.home, "team/later", pliableMember());
    await untilConnected(hall, "late");
    await untilConnected(hall, "later");
    await rm(folder, { recursive: true });

    await expect
      .poll(async () => (await hall.client.roster.list()).members.map(({ name }) => name), patience)
      .toEqual(["example", "later", "researcher"]);
    await hall.client.roster.remove("later");
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

  it("cancels the call of a client that goes away, at the member too", async () => {
    const folder = await putMember(hall.home, "patient", pliableMember());
    await untilConnected(hall, "patient");
    const leaving = new AbortController();

    const called = hall.client.tools.invoke({ member: MemberName.parse("patient"), tool: "hang", input: {} }, leaving.signal);
    await expect.poll(() => existsSync(join(folder, "hanging")), patience).toBe(true);
    leaving.abort();

    await expect(called).rejects.toMatchObject({ name: "AbortError" });
    await expect.poll(() => existsSync(join(folder, "cancelled")), patience).toBe(true);
    await expect
      .poll(async () => (await hall.client.tools.calls()).calls, patience)
      .toMatchObject([{ tool: "hang", outcome: { isError: true } }]);
  });

  it("comes back to what a person accepted after a restart, and shows what changed meanwhile (SEC-12)", async () => {
    const home = await freshHome();
    const folder = await putMember(home, "pliable", pliableMember());
    const hall = await startHallProcess({ home });
    await untilConnected(hall, "pliable");
    await hall.end("SIGTERM");
    await writeFile(join(folder, "description.txt"), "");

    const again = await startHallProcess({ home });
    await untilConnected(again, "pliable");

    const { tools } = await again.client.roster.get("pliable");
    expect(tools.filter(({ accepted }) => !accepted).map(({ name, change }) => [name, change?.kind])).toEqual([["echo", "changed"]]);
  });
});
