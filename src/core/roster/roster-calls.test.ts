import { describe, expect, it } from "vitest";
import { HallError } from "../../schema/hall-error.ts";
import { MemberName } from "../../schema/ids.ts";
import { member, setRosterStage, tool } from "./roster-stage.testing.ts";

const scribe = MemberName.parse("scribe");
const never = new AbortController().signal;
const strict = tool("write", { inputSchema: { type: "object", must: "text" } });

describe("a call by hand", () => {
  it("answers with what the tool said and how long it took, and is remembered (REQ-GH1-8, REQ-GH1-29)", async () => {
    const { roster, start, livesOf, history } = setRosterStage([member("scribe")]);
    await start();
    livesOf("scribe")[0]?.connect(strict);

    const answer = await roster.invoke({ member: scribe, tool: "write", input: { text: "x" } }, never);

    expect(answer).toEqual({
      content: [{ type: "text", text: 'write {"text":"x"}' }],
      isError: false,
      durationMs: expect.any(Number) as number,
    });
    await expect
      .poll(() => history)
      .toMatchObject([
        { member: "scribe", tool: "write", input: { text: "x" }, name: null, outcome: { isError: false, summary: 'write {"text":"x"}' } },
      ]);
  });

  it.each([
    ["a member nobody has", { member: MemberName.parse("scrybe"), tool: "write" }, "not_found", 'did you mean "scribe"?'],
    ["a tool it does not have", { member: scribe, tool: "wriet" }, "not_found", 'did you mean "write"?'],
    ["an input that does not fit", { member: scribe, tool: "write" }, "bad_request", "text: is missing"],
    ["a member that is not connected", { member: MemberName.parse("smith"), tool: "forge" }, "member_unavailable", "is starting"],
  ])("is refused for %s, and nothing is sent", async (_what, call, code, words) => {
    const { roster, start, livesOf, history } = setRosterStage([member("scribe"), member("smith")]);
    await start();
    livesOf("scribe")[0]?.connect(strict);

    const refused = await roster.invoke({ ...call, input: {} }, never).catch((error: unknown) => error);

    expect(refused).toMatchObject({ code, message: expect.stringContaining(words) as string });
    expect(livesOf("scribe")[0]?.calls).toEqual([]);
    expect(history).toEqual([]);
  });

  it("says at which field an input does not fit", async () => {
    const { roster, start, livesOf } = setRosterStage([member("scribe")]);
    await start();
    livesOf("scribe")[0]?.connect(strict);

    const refused = roster.invoke({ member: scribe, tool: "write", input: {} }, never);

    await expect(refused).rejects.toMatchObject({ details: { issues: [{ path: "text", message: "is missing" }] } });
  });

  it("may use a tool that no person has accepted yet, because a person makes it", async () => {
    const { roster, start, livesOf } = setRosterStage([member("scribe")]);
    await start();
    livesOf("scribe")[0]?.connect();
    livesOf("scribe")[0]?.connect(tool("write"));

    const answer = await roster.invoke({ member: scribe, tool: "write", input: {} }, never);

    expect(roster.get("scribe").tools[0]?.accepted).toBe(false);
    expect(answer.isError).toBe(false);
  });

  it("passes the caller's going away on to the member, and is remembered as failed", async () => {
    const answer = (_tool: string, _input: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new HallError("stopped", "The caller went away."))),
      );
    const { roster, start, livesOf, history } = setRosterStage([member("scribe")], { answer });
    await start();
    livesOf("scribe")[0]?.connect(tool("write"));
    const leaving = new AbortController();

    const called = roster.invoke({ member: scribe, tool: "write", input: {} }, leaving.signal);
    leaving.abort();

    await expect(called).rejects.toMatchObject({ code: "stopped" });
    await expect.poll(() => history[0]?.outcome).toMatchObject({ isError: true, summary: "The caller went away." });
  });

  it("keeps a summary that is short, and says what there was where there was no text", async () => {
    const contents = [
      [{ type: "text" as const, text: "x".repeat(5000) }],
      [{ type: "image" as const, data: "", mimeType: "image/png" }],
      [],
    ];
    const { roster, start, livesOf, history } = setRosterStage([member("scribe")], {
      answer: async () => ({ content: contents.shift() ?? [] }),
    });
    await start();
    livesOf("scribe")[0]?.connect(tool("write"));

    for (let call = 0; call < 3; call += 1) await roster.invoke({ member: scribe, tool: "write", input: {} }, never);

    await expect.poll(() => history.map(({ outcome }) => outcome?.summary.slice(-3))).toEqual(["ing", "age", "xx…"]);
    expect(history[2]?.outcome?.summary).toHaveLength(200);
  });
});

describe("a saved call", () => {
  it("has a name and no outcome, and is for a member that is there", async () => {
    const { roster, start, history } = setRosterStage([member("scribe")]);
    await start();

    const saved = await roster.saveCall({ member: scribe, tool: "write", input: { text: "x" }, name: "Every Monday" });

    expect(saved).toMatchObject({ name: "Every Monday", outcome: null });
    expect(history).toEqual([saved]);
    await expect(roster.saveCall({ ...saved, member: MemberName.parse("nobody"), name: "x" })).rejects.toMatchObject({ code: "not_found" });
  });
});
