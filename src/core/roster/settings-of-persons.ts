import { HallError } from "../../schema/hall-error.ts";

/**
 * What a job may cost, which model it uses, how its worker remembers, and what that worker may reach is a person's to say: an
 * agent that was talked into something could raise it, or have a memory condensed that other jobs share. Each worker has
 * settings of its own (a role, a depth), of which the hall knows no list, so these are known by the words in their names.
 */
const words = new Set(
  [
    "max min limit limits budget cost usd turns attempts retries timeout model memory condense compact",
    "permission permissions allow allowed deny denied tools sandbox bypass unsafe dangerously confirm confirmed approve approved hooks",
    "cwd path paths folder folders directory directories env environment command args shell prompt base endpoint proxy",
  ].flatMap((line) => line.split(" ")),
);

/** The names of the settings of a job, at any depth, that only a person may make. */
export const settingsOfPersons = (config: Readonly<Record<string, unknown>>): string[] =>
  namesIn(config).filter((name) => wordsIn(name).some((word) => words.has(word)));

/** Refuses an agent's settings for a job where they are not an agent's to make. */
export function refuseSettingsOfPersons(config: Readonly<Record<string, unknown>>): void {
  const given = settingsOfPersons(config);
  if (given.length === 0) return;
  throw new HallError(
    "conflict",
    `${given.join(" and ").slice(0, 200)} cannot be set by you: a person sets limits, the model, memory and what a worker may reach, with Dispatch on the Jobs page or with guild-hall job dispatch --config. Leave it out, and the worker's own apply.`,
  );
}

/** At any depth. */
const namesIn = (value: unknown): string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, each]) => [...(Array.isArray(value) ? [] : [name]), ...namesIn(each)]);

const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
