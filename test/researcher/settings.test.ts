import { describe, expect, it } from "vitest";
import { JobConfig, readSettings, settingsOf } from "../../guild-members/researcher/settings.ts";

describe("the researcher's settings", () => {
  it("have defaults that bound what a job may do (REQ-WD-28, REQ-WD-32)", () => {
    expect(readSettings({})).toEqual({
      concurrency: 4,
      job: { maxTurns: 150, maxBudgetUsd: 2.5, model: null, memoryCharacters: 32_000, maxAttempts: 3 },
      memory: { above: 40_000, atMost: 32_000, model: null },
    });
  });

  it("come from the environment, and for one job from its dispatch", () => {
    const { concurrency, job } = readSettings({
      WORKER_CONCURRENCY: "2",
      WORKER_MAX_TURNS: "7",
      WORKER_MAX_BUDGET_USD: "",
      GUILD_HALL_MODEL: "small",
    });

    expect(concurrency).toBe(2);
    expect(job).toMatchObject({ maxTurns: 7, maxBudgetUsd: 2.5, model: "small" });
    expect(settingsOf(JobConfig.parse({ model: "large", maxAttempts: 1 }), job)).toMatchObject({
      maxTurns: 7,
      model: "large",
      maxAttempts: 1,
    });
  });

  it("leave the memory, which all jobs share, to the member: no dispatch has a say in when it is condensed", () => {
    const { memory } = readSettings({ WORKER_CONDENSE_ABOVE: "2000", WORKER_MEMORY_CHARACTERS: "1500", GUILD_HALL_MODEL: "small" });

    expect(memory).toEqual({ above: 2000, atMost: 1500, model: "small" });
    expect(JobConfig.safeParse({ condenseAbove: 1000 }).success).toBe(false);
  });

  it("take no option for the name of a model (SEC-7)", () => {
    expect(["--help", "-p", "a\nb"].filter((model) => JobConfig.safeParse({ model }).success)).toEqual([]);
  });

  it.each([
    [{ WORKER_CONCURRENCY: "many" }, "WORKER_CONCURRENCY"],
    [{ WORKER_MAX_TURNS: "0" }, "WORKER_MAX_TURNS"],
    [{ WORKER_MAX_BUDGET_USD: "-1" }, "WORKER_MAX_BUDGET_USD"],
  ])("name the variable that does not fit: %j", (environment, name) => {
    expect(() => readSettings(environment)).toThrow(name);
  });
});
