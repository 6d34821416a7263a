import { z } from "zod";
import type { Variables } from "./environment.ts";
import type { JobSettings } from "./job.ts";

/** What a dispatch may ask for in its `config`; everything else is refused by name. */
export const JobConfig = z.strictObject({
  maxTurns: z.int().min(1).max(10_000).optional(),
  maxBudgetUsd: z.number().positive().max(1000).optional(),
  // It becomes an argument of the agent's process.
  model: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^(?!-)\P{Cc}*$/u, "must not begin with a dash, nor have control characters")
    .optional(),
  memoryCharacters: z.int().min(0).max(1_000_000).optional(),
  maxAttempts: z.int().min(1).max(100).optional(),
});
export type JobConfig = z.infer<typeof JobConfig>;

export type MemberSettings = { job: JobSettings; memory: MemoryLimits; concurrency: number };

/** Of the memory that all jobs share, so no single job has a say in them. */
export type MemoryLimits = {
  /** A memory of more characters than this is condensed. */
  above: number;
  /** What fits into a prompt, and so the most that the condensed memory may have. */
  atMost: number;
  model: string | null;
};

/** The member's defaults; the `env` of guild-member.json overrides them. Throws in words. */
export function readSettings(environment: Variables): MemberSettings {
  const given = Environment.safeParse(Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== "")));
  if (!given.success) throw new Error(given.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}.`).join(" "));
  const env = given.data;
  const model = env.GUILD_HALL_MODEL ?? null;
  return {
    concurrency: env.WORKER_CONCURRENCY,
    job: {
      maxTurns: env.WORKER_MAX_TURNS,
      maxBudgetUsd: env.WORKER_MAX_BUDGET_USD,
      model,
      memoryCharacters: env.WORKER_MEMORY_CHARACTERS,
      maxAttempts: env.WORKER_MAX_ATTEMPTS,
    },
    memory: { above: env.WORKER_CONDENSE_ABOVE, atMost: env.WORKER_MEMORY_CHARACTERS, model },
  };
}

/** Of one job: what its dispatch said, and the member's defaults for the rest. */
export function settingsOf(config: JobConfig, defaults: JobSettings): JobSettings {
  return {
    maxTurns: config.maxTurns ?? defaults.maxTurns,
    maxBudgetUsd: config.maxBudgetUsd ?? defaults.maxBudgetUsd,
    model: config.model ?? defaults.model,
    memoryCharacters: config.memoryCharacters ?? defaults.memoryCharacters,
    maxAttempts: config.maxAttempts ?? defaults.maxAttempts,
  };
}

const number = (check: z.ZodNumber, otherwise: number): z.ZodDefault<z.ZodPipe<z.ZodCoercedNumber, z.ZodNumber>> =>
  z.coerce.number().pipe(check).default(otherwise);

const Environment = z.object({
  WORKER_CONCURRENCY: number(z.int().min(1).max(256), 4),
  WORKER_MAX_TURNS: number(z.int().min(1).max(10_000), 150),
  WORKER_MAX_BUDGET_USD: number(z.number().positive().max(1000), 2.5),
  WORKER_MEMORY_CHARACTERS: number(z.int().min(0).max(1_000_000), 32_000),
  WORKER_CONDENSE_ABOVE: number(z.int().min(1000).max(10_000_000), 40_000),
  WORKER_MAX_ATTEMPTS: number(z.int().min(1).max(100), 3),
  GUILD_HALL_MODEL: z.string().trim().min(1).optional(),
});
