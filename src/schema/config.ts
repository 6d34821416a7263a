import { z } from "zod";

const whole = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message);
};
const number = (least: number, most: number) => {
  const message = `must be a number from ${least} to ${most}`;
  return z.number(message).min(least, message).max(most, message);
};
const text = (what: string) => z.string(`must be ${what}`).trim().min(1, `must be ${what}`);
const part = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject(shape, "must be a group of keys, indented below it");

export const Port = whole(0, 65_535);
export const Host = text("an address to listen on, such as 127.0.0.1");
export const ModelName = text("the name of a model");

/** A name as a browser sends it, with or without a port: `hall.example.org`, `10.0.0.5:8080`, `[fd00::1]`. */
const HostName = z
  .string("must be a host name")
  .trim()
  .toLowerCase()
  .regex(/^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/, "must be a host name, with or without a port");

const LogLevel = z.enum(["debug", "info", "warn", "error"], "must be debug, info, warn or error");

/** `config.yaml` of the home folder. Every key has a default, so that an empty file and none at all mean the same. */
export const Config = z.strictObject(
  {
    host: Host.default("127.0.0.1"),
    port: Port.default(4870),
    model: ModelName.nullable().default(null),
    allowedHosts: z.array(HostName, "must be a list of host names").max(100, "must hold at most 100 names").default([]),
    runs: part({
      /** How many agent processes may work at the same time; the others queue. */
      atOnce: whole(1, 256).default(8),
      /** How many may be starting up at the same time. Null: one per processor core. */
      startsAtOnce: whole(1, 64).nullable().default(null),
      /** How many runs of the hall's workers may have a process at the same time, without those that they start. Null: by the memory. */
      processes: whole(1, 1024).nullable().default(null),
      /** How long a process waits for a person before it ends; the run goes on from its record. */
      parkAfterMinutes: number(0, 10_000).default(60),
      /** Whether a run that reached the model's usage limit resumes by itself when that is reset, at most 3 times. */
      resumeAtReset: z.boolean("must be true or false").default(true),
      /** How many may wait, started, for the next message of a session that somebody has open. */
      waiting: whole(0, 64).default(4),
    }).prefault({}),
    agent: part({
      stallSeconds: whole(5, 3600).default(120),
      maxTurns: whole(1, 1000).default(150),
      maxBudgetUsd: number(0.01, 10_000).nullable().default(null),
      webTools: z.boolean("must be true or false").default(false),
    }).prefault({}),
    limits: part({
      /** Dollars that all queries of a day together may cost; from there on messages are refused and running answers pause, until a person raises it. */
      perDayUsd: number(0.01, 1_000_000).nullable().default(null),
      /** Dollars a session may cost in its life, unless it says otherwise. */
      perSessionUsd: number(0.01, 1_000_000).nullable().default(null),
    }).prefault({}),
    retention: part({
      /** Days after which a completed session is deleted. Null keeps it. */
      completedSessionDays: whole(1, 36_500).nullable().default(null),
      /** Days without activity after which any session at rest is deleted. Null keeps it. */
      inactiveSessionDays: whole(1, 36_500).nullable().default(null),
    }).prefault({}),
    members: part({
      /** How many may be starting up at the same time; the others wait their turn. */
      startsAtOnce: whole(1, 64).default(4),
      /** How long a member may take from its start to the answer to the MCP handshake. */
      handshakeSeconds: whole(1, 600).default(20),
      /** How long a tool may take to answer. */
      callSeconds: whole(1, 3600).default(120),
    }).prefault({}),
    logs: part({
      level: LogLevel.default("info"),
      megabytes: whole(1, 1024).default(10),
      files: whole(1, 100).default(5),
    }).prefault({}),
    /** Two hundred browsers with three each, and some more: half of the connections that the server takes. */
    streams: part({ max: whole(1, 10_000).default(1024) }).prefault({}),
  },
  "must be keys with values, one per line",
);
export type Config = z.infer<typeof Config>;
