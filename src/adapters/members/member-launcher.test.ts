import { describe, expect, it } from "vitest";
import { setMemberStage } from "./member-stage.testing.ts";
import { playedBy } from "./played-member.testing.ts";

describe.each(["stdio", "http"] as const)("a member over %s", (transport) => {
  it("is started, shakes hands, lists its tools, answers and goes", async () => {
    const stage = await setMemberStage();

    const member = stage.launch(playedBy(transport, "well"));
    const tools = await member.connected;
    const answer = await member.ask("echo", { hello: "you" });
    await member.end();

    expect(tools.map(({ name }) => name)).toContain("echo");
    expect(JSON.parse(answer)).toEqual({ hello: "you" });
    expect(await member.ended).toBeNull();
  });
});
