import type { BenchRow } from "./bench-row.ts";
import type { Effort } from "./effort.ts";

type Part = {
  /** What it is about, above its table. */
  title: string;
  /** How long it may take, twice what it should on a machine that does nothing else. What takes longer hangs. */
  mostMinutes: (effort: Effort) => number;
  run: (effort: Effort) => Promise<BenchRow[]>;
};

/** All that can be measured, in the order in which it is measured and told. */
export const parts: Readonly<Record<string, Part>> = {
  agent: {
    title: "An agent's run, beside the bare SDK",
    mostMinutes: () => 15,
    run: async (effort) => (await import("./agent/bench-agent.ts")).benchAgent(effort),
  },
  members: {
    title: "Calling tools, beside the bare MCP client",
    mostMinutes: () => 10,
    run: async (effort) => (await import("./members/bench-members.ts")).benchMembers(effort),
  },
  workers: {
    title: "Jobs, beside the bare SDK and reading files",
    mostMinutes: () => 20,
    run: async (effort) => (await import("./workers/bench-workers.ts")).benchWorkers(effort),
  },
  index: {
    title: "Lists and search, beside reading files",
    mostMinutes: () => 20,
    run: async (effort) => (await import("./index/bench-index.ts")).benchIndex(effort),
  },
  hall: {
    title: "The hall from outside",
    mostMinutes: () => 15,
    run: async (effort) => (await import("./hall/bench-hall.ts")).benchHall(effort),
  },
  web: {
    title: "What a person sees",
    mostMinutes: () => 10,
    run: async (effort) => (await import("./web/bench-web.ts")).benchWeb(effort),
  },
  load: {
    title: "Under load",
    mostMinutes: () => 20,
    run: async (effort) => (await import("./load/bench-load.ts")).benchLoad(effort),
  },
  idle: {
    title: "With nothing to do",
    mostMinutes: ({ minutes }) => minutes + 5,
    run: async (effort) => (await import("./idle/bench-idle.ts")).benchIdle(effort),
  },
};
