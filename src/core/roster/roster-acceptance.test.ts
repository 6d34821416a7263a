import { describe, expect, it } from "vitest";
import { member, setRosterStage, tool } from "./roster-stage.testing.ts";

const gentle = tool("write", { description: "Writes." });
const harsh = tool("write", { description: "Writes, and deletes." });
const acceptedOf = (tools: { name: string; accepted: boolean }[]) => tools.map(({ name, accepted }) => [name, accepted]);

describe("the tools of a member that is not the hall's own", () => {
  it("are accepted as they are when it is first seen; what is new or changed later waits for a person (SEC-12)", async () => {
    const { roster, start, livesOf } = setRosterStage([member("scribe")]);
    await start();

    livesOf("scribe")[0]?.connect(gentle);
    const first = roster.get("scribe").tools;
    livesOf("scribe")[0]?.connect(harsh, tool("extra"));

    expect(acceptedOf(first)).toEqual([["write", true]]);
    expect(roster.get("scribe").tools).toMatchObject([
      { name: "write", accepted: false, change: { kind: "changed", before: gentle } },
      { name: "extra", accepted: false, change: { kind: "new", before: null } },
    ]);
  });

  it("are known over restarts of member and hall (SEC-12)", async () => {
    const first = setRosterStage([member("scribe")]);
    await first.start();
    first.livesOf("scribe")[0]?.connect(gentle);
    await first.roster.close();
    const second = setRosterStage([member("scribe")]);
    for (const [name, tools] of first.records) second.records.set(name, tools);
    await second.start();

    second.livesOf("scribe")[0]?.connect(harsh);
    const changed = acceptedOf(second.roster.get("scribe").tools);
    await second.roster.restart("scribe");
    await second.settle();
    second.livesOf("scribe")[1]?.connect(gentle);

    expect(changed).toEqual([["write", false]]);
    expect(acceptedOf(second.roster.get("scribe").tools)).toEqual([["write", true]]);
  });

  it("are accepted by exactly the definition that a person saw (SEC-12)", async () => {
    const { roster, start, livesOf, records } = setRosterStage([member("scribe")]);
    await start();
    livesOf("scribe")[0]?.connect(gentle);
    livesOf("scribe")[0]?.connect(harsh);
    const seen = roster.get("scribe").tools.map(({ name, hash }) => ({ name, hash }));

    livesOf("scribe")[0]?.connect({ ...harsh, description: "Something else again." });
    const refused = roster.accept("scribe", seen);
    await expect(refused).rejects.toMatchObject({ code: "conflict" });
    livesOf("scribe")[0]?.connect(harsh);
    const after = await roster.accept("scribe", seen);

    expect(acceptedOf(after.tools)).toEqual([["write", true]]);
    expect(records.get("scribe")?.map(({ definition }) => definition)).toEqual([harsh]);
    await expect(roster.accept("scribe", [{ name: "wirte", hash: "x" }])).rejects.toMatchObject({ code: "not_found" });
  });

  it("are accepted all, when two people accept at the same time", async () => {
    const { roster, start, livesOf, records } = setRosterStage([member("scribe")]);
    await start();
    livesOf("scribe")[0]?.connect();
    livesOf("scribe")[0]?.connect(gentle, tool("read"));
    const pairs = roster.get("scribe").tools.map(({ name, hash }) => ({ name, hash }));

    await Promise.all(pairs.map((pair) => roster.accept("scribe", [pair])));

    expect(acceptedOf(roster.get("scribe").tools)).toEqual([
      ["write", true],
      ["read", true],
    ]);
    expect(records.get("scribe")).toHaveLength(2);
  });

  it("are not seen for the first time again when the member's manifest changes while they are written down (SEC-12)", async () => {
    const { roster, start, livesOf, putFolders, settle, slowRecords } = setRosterStage([member("scribe")]);
    const write = slowRecords();
    await start();
    livesOf("scribe")[0]?.connect(gentle);

    await putFolders([member("scribe", { version: "2.0.0" })]);
    write();
    await settle();
    livesOf("scribe")[1]?.connect(harsh);

    expect(acceptedOf(roster.get("scribe").tools)).toEqual([["write", false]]);
  });

  it("count as not accepted where the record of it cannot be read (SEC-12)", async () => {
    const { roster, start, livesOf, problems, records } = setRosterStage([member("scribe")]);
    records.get = () => {
      throw new Error("The record is broken.");
    };
    await start();

    livesOf("scribe")[0]?.connect(gentle);

    expect(acceptedOf(roster.get("scribe").tools)).toEqual([["write", false]]);
    expect(String(problems[0])).toContain("broken");
    expect(roster.get("scribe").note).toBe(
      "What was accepted of its tools cannot be read, so none counts as accepted. The record is broken.",
    );
  });

  it("cannot be accepted over a record that cannot be read, until it is mended (SEC-12)", async () => {
    const { roster, start, livesOf, records } = setRosterStage([member("scribe")]);
    const get = records.get.bind(records);
    records.set("scribe", [{ hash: "old", definition: tool("old") }]);
    records.get = () => {
      throw new Error("The record is broken.");
    };
    await start();
    livesOf("scribe")[0]?.connect(gentle);
    const pairs = roster.get("scribe").tools.map(({ name, hash }) => ({ name, hash }));

    await expect(roster.accept("scribe", pairs)).rejects.toThrow("The record is broken.");
    const kept = get("scribe");
    records.get = get;
    const after = await roster.accept("scribe", pairs);

    expect(kept?.map(({ hash }) => hash)).toEqual(["old"]);
    expect(acceptedOf(after.tools)).toEqual([["write", true]]);
    expect(after.note).toBeUndefined();
    expect(records.get("scribe")?.map(({ definition }) => definition.name)).toEqual(["old", "write"]);
  });

  it("are known again from the member's restart on, when the record was mended", async () => {
    const { roster, start, livesOf, records, settle } = setRosterStage([member("scribe")]);
    records.set("scribe", [{ hash: JSON.stringify(gentle), definition: gentle }]);
    const get = records.get.bind(records);
    records.get = () => {
      throw new Error("The record is broken.");
    };
    await start();
    records.get = get;

    await roster.restart("scribe");
    await settle();
    livesOf("scribe").at(-1)?.connect(gentle);

    expect(acceptedOf(roster.get("scribe").tools)).toEqual([["write", true]]);
  });
});

describe("tools that the hall cannot use", () => {
  it("are told on the member's card, a few by name", async () => {
    const { roster, start, livesOf } = setRosterStage([{ ...member("scribe"), note: "It was edited." }]);
    await start();

    livesOf("scribe")[0]?.watch.onTools([gentle], ["a: It is there twice.", "b: broken", "c: broken", "d: broken"]);
    const { note } = roster.get("scribe");
    livesOf("scribe")[0]?.watch.onTools([gentle], []);

    expect(note).toBe(
      "It was edited. 4 tools are left out for what the member says of them (a: It is there twice.; b: broken; c: broken; and 1 more).",
    );
    expect(roster.get("scribe").note).toBe("It was edited.");
  });
});

describe("the tools of a bundled member", () => {
  it("are always accepted, and are compared from the moment a person has edited it", async () => {
    const { roster, start, livesOf, putFolders } = setRosterStage([member("scribe", { origin: "bundled" })]);
    await start();
    livesOf("scribe")[0]?.connect(gentle);
    livesOf("scribe")[0]?.connect(harsh);
    const bundled = acceptedOf(roster.get("scribe").tools);

    await putFolders([member("scribe", { origin: "edited" })]);
    livesOf("scribe")[0]?.connect(gentle);

    expect(bundled).toEqual([["write", true]]);
    expect(acceptedOf(roster.get("scribe").tools)).toEqual([["write", false]]);
  });
});
