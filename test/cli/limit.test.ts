import { describe, expect, it } from "vitest";
import { Session } from "../../src/schema/session.ts";
import { runCli } from "./run-cli.ts";
import { serveComposedHall } from "./serve-composed-hall.ts";

async function hallWithCommands() {
  const hall = await serveComposedHall();
  return { ...hall, run: (...args: string[]) => runCli([...args, "--home", hall.home]) };
}

describe("guild-hall session limit", () => {
  it("says what a session has cost and may cost, and sets it, each limit by itself", async () => {
    const { run, client } = await hallWithCommands();
    const { id } = await client.sessions.create({ name: "Dear", limits: { maxTurns: 7 } });

    const before = await run("session", "limit", "dear");
    const raised = await run("session", "limit", "dear", "$2.50");
    const perMessage = await run("session", "limit", "dear", "0.5", "--per-message", "--json");
    const after = await run("session", "limit", "dear");
    const lifted = await run("session", "limit", "dear", "none");

    expect(before).toMatchObject({ code: 0, stdout: '"Dear" has cost $0.00 and has no limit.\n' });
    expect(raised).toMatchObject({ code: 0, stdout: '"Dear" may cost up to $2.50 now.\n' });
    expect(Session.parse(JSON.parse(perMessage.stdout)).limits).toEqual({ maxTurns: 7, maxCostUsd: 2.5, maxBudgetUsd: 0.5 });
    expect(after.stdout).toBe('"Dear" has cost $0.00 and may cost up to $2.50.\nOne message of it may cost up to $0.50.\n');
    expect(lifted).toMatchObject({ code: 0, stdout: '"Dear" has no limit of its own any more.\n' });
    expect((await client.sessions.get(id)).session.limits).toEqual({ maxTurns: 7, maxBudgetUsd: 0.5 });
  });

  it("refuses what is no amount, or too much, and changes nothing", async () => {
    const { run, client } = await hallWithCommands();
    const { id } = await client.sessions.create({ name: "Dear" });

    const refused = await Promise.all(["much", "0", "9000000"].map((amount) => run("session", "limit", "dear", amount)));

    for (const { code, stdout, stderr } of refused) expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("The limit")]);
    expect((await client.sessions.get(id)).session.limits).toEqual({});
  });
});

describe("guild-hall limit", () => {
  it("says what today has cost and may cost, and sets it for today, for good, or as config.yaml says", async () => {
    const { run, client } = await hallWithCommands();

    const before = await run("limit");
    const today = await run("limit", "20");
    const always = await run("limit", "none", "--always");
    const json = await run("limit", "--json");
    const config = await run("limit", "--from-config");
    const nonsense = await run("limit", "lots");

    expect(before).toMatchObject({ code: 0, stdout: "Today's queries have cost $0.00. A day has no limit, as config.yaml says.\n" });
    expect(today.stdout).toBe("Today may cost up to $20.00.\n");
    expect(always.stdout).toBe("A day has no limit.\n");
    expect(JSON.parse(json.stdout)).toMatchObject({ limit: { perDayUsd: null, from: "always" } });
    expect(config.stdout).toBe("A day has no limit, as config.yaml says.\n");
    expect(nonsense).toMatchObject({ code: 2, stderr: 'The limit must be an amount of dollars, such as 5 or 2.50, not "lots".\n' });
    expect((await client.spending.get()).limit.from).toBe("config");
  });
});
