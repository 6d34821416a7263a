import { describe, expect, it } from "vitest";
import { MemberName } from "../../schema/ids.ts";
import { member, setRosterStage, tool } from "./roster-stage.testing.ts";

describe("the Roster", () => {
  it("starts everything it finds and tells what becomes of it (REQ-GH1-5, REQ-GH1-6)", async () => {
    const { roster, start, livesOf, events } = setRosterStage([member("scribe"), member("smith")]);

    await start();
    livesOf("scribe")[0]?.connect(tool("write"), tool("read"));

    expect(roster.list()).toMatchObject([
      { name: "scribe", status: "connected", toolCount: 2, error: null, command: ["node", "server.ts"] },
      { name: "smith", status: "disconnected", toolCount: 0, error: null },
    ]);
    expect(events.at(-1)).toEqual({ event: "roster", data: { id: "scribe", status: "connected" } });
  });

  it("shows a member whose manifest is invalid as an error, and logs it (REQ-GH1-26)", async () => {
    const { manifest: _manifest, problem: _problem, ...place } = member("broken");
    const { roster, start, lives, problems } = setRosterStage([
      { ...place, manifest: null, name: "broken", problem: "broken/guild-member.json line 3: …" },
    ]);

    await start();

    expect(roster.get("broken")).toMatchObject({
      status: "error",
      error: "broken/guild-member.json line 3: …",
      transport: null,
      command: [],
    });
    expect(lives).toEqual([]);
    expect(String(problems[0])).toContain("line 3");
  });

  it("starts a member that crashes again and again with longer pauses, then gives up until a person restarts it", async () => {
    const { roster, start, livesOf, pass, settle } = setRosterStage([member("scribe")]);
    await start();
    const pauses: number[] = [];

    for (let failure = 1; failure <= 5; failure += 1) {
      livesOf("scribe").at(-1)?.watch.onStderr(`boom ${failure}\n`);
      livesOf("scribe").at(-1)?.crash();
      const before = livesOf("scribe").length;
      let waited = 0;
      while (livesOf("scribe").length === before && waited < 20_000) {
        await pass(1000);
        waited += 1000;
      }
      pauses.push(waited);
    }
    const givenUp = roster.get("scribe");
    await roster.restart("scribe");
    await settle();

    expect(pauses).toEqual([1000, 2000, 4000, 8000, 20_000]);
    expect(givenUp).toMatchObject({ status: "error", nextStartAt: null });
    expect(givenUp.error).toMatch(/ended with code 1.*boom 5.*5 times in a row.*member restart scribe/);
    expect(livesOf("scribe")).toHaveLength(6);
    expect(roster.get("scribe").status).toBe("error");
    livesOf("scribe").at(-1)?.connect(tool("write"));
    expect(roster.get("scribe")).toMatchObject({ status: "connected", error: null });
    livesOf("scribe").at(-1)?.crash();
    expect(roster.get("scribe").nextStartAt).not.toBeNull();
  });

  it("forgives a member its crashes after it worked for minutes", async () => {
    const { roster, start, livesOf, pass } = setRosterStage([member("scribe")]);
    await start();
    for (let life = 0; life < 8; life += 1) {
      livesOf("scribe").at(-1)?.connect();
      await pass(200_000);
      livesOf("scribe").at(-1)?.crash();
      await pass(1000);
    }

    expect(livesOf("scribe")).toHaveLength(9);
    expect(roster.get("scribe").status).toBe("error");
  });

  it("keeps what was written to stderr over restarts, with a line at each start", async () => {
    const { roster, start, livesOf, settle } = setRosterStage([member("scribe")]);
    await start();
    livesOf("scribe")[0]?.watch.onStderr("first life\n");
    await roster.restart("scribe");
    await settle();
    livesOf("scribe")[1]?.watch.onStderr("second life\n");

    expect(roster.logs("scribe").text).toMatch(/^--- started .* ---\nfirst life\n--- started .* ---\nsecond life\n$/);
  });

  it("begins no life before the last one is gone, however often it is told to restart", async () => {
    const { roster, start, livesOf, settle } = setRosterStage([member("scribe")], { endsAtOnce: false });
    await start();

    await Promise.all([roster.restart("scribe"), roster.restart("scribe")]);
    await settle();
    const before = livesOf("scribe").length;
    livesOf("scribe")[0]?.letGo();
    await settle();

    expect(before).toBe(1);
    expect(livesOf("scribe")).toHaveLength(2);
  });

  it("finds a manifest that was put right when it is told to restart its member", async () => {
    const { manifest: _manifest, problem: _problem, ...place } = member("scribe");
    const { roster, start, livesOf, settle, changeUnseen } = setRosterStage([
      { ...place, manifest: null, name: "scribe", problem: "Broken." },
    ]);
    await start();
    await expect(roster.restart("scribe")).rejects.toMatchObject({
      code: "member_unavailable",
      message: expect.stringContaining("Broken.") as string,
    });

    changeUnseen([member("scribe")]);
    await roster.restart("scribe");
    await settle();

    expect(livesOf("scribe")).toHaveLength(1);
    expect(roster.get("scribe")).toMatchObject({ status: "disconnected", error: null });
  });

  it("does not hear what an ended life still says", async () => {
    const { roster, start, livesOf, settle } = setRosterStage([member("scribe")], { endsAtOnce: false });
    await start();
    await roster.restart("scribe");

    livesOf("scribe")[0]?.connect(tool("stale"));
    livesOf("scribe")[0]?.crash();
    await settle();

    expect(roster.get("scribe")).toMatchObject({ status: "disconnected", toolCount: 0, error: null, nextStartAt: null });
  });

  it("notices members that come, change and go, and leaves the others alone", async () => {
    const { roster, start, livesOf, putFolders, events } = setRosterStage([member("scribe"), member("smith")]);
    await start();
    for (const name of ["scribe", "smith"]) livesOf(name)[0]?.connect(tool("work"));

    await putFolders([member("scribe", { version: "2.0.0" }), member("smith"), member("baker")]);
    const changed = roster.list().map(({ name, status, version }) => [name, status, version]);
    await putFolders([member("smith")]);

    expect(changed).toEqual([
      ["baker", "disconnected", "1.0.0"],
      ["scribe", "disconnected", "2.0.0"],
      ["smith", "connected", "1.0.0"],
    ]);
    expect(livesOf("smith")).toHaveLength(1);
    expect(livesOf("scribe").map(({ isEnding }) => isEnding)).toEqual([true, true]);
    expect(roster.list().map(({ name }) => name)).toEqual(["smith"]);
    expect(events.flatMap(({ event, data }) => (event === "roster" && data.status === null ? [data.id] : []))).toEqual(["baker", "scribe"]);
  });

  it("starts a changed member only when all of its former self is gone", async () => {
    const { start, livesOf, putFolders, settle } = setRosterStage([member("scribe")], { endsAtOnce: false });
    await start();

    await putFolders([member("scribe", { version: "2.0.0" })]);
    const before = livesOf("scribe").length;
    livesOf("scribe")[0]?.letGo();
    await settle();

    expect(before).toBe(1);
    expect(livesOf("scribe")).toHaveLength(2);
  });

  it("shows the second of two members with one name as an error that says who has it", async () => {
    const { roster, start, livesOf, putFolders } = setRosterStage([member("scribe", { folder: "team/scribe" })]);
    await start();
    livesOf("scribe")[0]?.connect();

    await putFolders([member("scribe"), member("scribe", { folder: "team/scribe" })]);

    expect(roster.list()).toMatchObject([
      { folder: "scribe", status: "error", error: expect.stringContaining("guild-members/team/scribe") as string },
      { folder: "team/scribe", status: "connected" },
    ]);
    expect(roster.get("scribe").folder).toBe("team/scribe");
    expect(livesOf("scribe")).toHaveLength(1);
  });

  it("adds a member by its command and answers at once, while it starts", async () => {
    const { roster, start, livesOf } = setRosterStage();
    await start();

    const added = await roster.add({
      name: MemberName.parse("cook"),
      transport: "stdio",
      command: "npx",
      args: ["-y", "cook"],
      env: { A: "b" },
      confirmed: true,
    });

    expect(added).toMatchObject({
      name: "cook",
      displayName: "cook",
      description: "Started with: npx -y cook",
      version: "1.0.0",
      status: "disconnected",
    });
    await expect.poll(() => livesOf("cook")).toHaveLength(1);
    expect(livesOf("cook")[0]?.program.manifest.mcp).toEqual({ command: "npx", args: ["-y", "cook"], env: { A: "b" } });
    await expect(
      roster.add({ name: MemberName.parse("cook"), transport: "stdio", command: "x", args: [], env: {}, confirmed: true }),
    ).rejects.toMatchObject({ code: "conflict" });
  });

  it("removes a member after it has ended, and forgets what was accepted of it", async () => {
    const { roster, start, livesOf, records } = setRosterStage([member("scribe")]);
    await start();
    livesOf("scribe")[0]?.connect(tool("write"));
    await expect.poll(() => records.has("scribe")).toBe(true);

    await roster.remove("scribe");

    expect(livesOf("scribe")[0]?.isEnding).toBe(true);
    expect(roster.list()).toEqual([]);
    expect(records.has("scribe")).toBe(false);
    await expect(roster.remove("scribe")).rejects.toMatchObject({ code: "not_found" });
  });

  it("goes on with a member whose folder could not be moved away", async () => {
    const { roster, start, livesOf, settle, failRemoving } = setRosterStage([member("scribe")]);
    await start();
    failRemoving(new Error("The disk is full."));

    await expect(roster.remove("scribe")).rejects.toThrow("The disk is full.");
    await settle();

    expect(roster.get("scribe").name).toBe("scribe");
    expect(livesOf("scribe").map(({ isEnding }) => isEnding)).toEqual([true, false]);
  });

  it("describes a member once per change, however often it is asked", async () => {
    const { roster, start, livesOf, hashed } = setRosterStage([member("scribe")]);
    await start();
    livesOf("scribe")[0]?.connect(tool("write"), tool("read"));

    const asked = Array.from({ length: 100 }, () => roster.list()[0]);

    expect(new Set(asked).size).toBe(1);
    expect(hashed()).toBe(2);
  });

  it("starts nothing any more when it has closed, whoever asks", async () => {
    const { roster, start, lives, settle, pass } = setRosterStage([member("scribe"), member("smith")]);
    await start();
    lives[0]?.crash();

    await roster.close();
    await roster.restart("scribe");
    roster.engage(["smith"]);
    await roster.offersFor(["scribe", "smith"]);
    await settle();
    await pass(60_000);

    expect(lives).toHaveLength(2);
  });

  it("ends all members at once when it closes, those that still end included", async () => {
    const { roster, start, lives, livesOf, putFolders, settle } = setRosterStage([member("scribe"), member("smith"), member("baker")], {
      endsAtOnce: false,
    });
    await start();
    await putFolders([member("scribe"), member("smith")]);

    let isClosed = false;
    const closing = roster.close().then(() => (isClosed = true));
    await expect.poll(() => lives.map(({ isEnding }) => isEnding)).toEqual([true, true, true]);
    livesOf("scribe")[0]?.letGo();
    livesOf("smith")[0]?.letGo();
    await settle();
    const early = isClosed;
    livesOf("baker")[0]?.letGo();
    await closing;

    expect(early).toBe(false);
  });
});
