import type { MemberName } from "../../schema/ids.ts";
import type { OrphanRecords } from "../processes/end-orphans.ts";

/** What the launcher is built from. */
export type MemberLauncherDeps = {
  limits: {
    /** How many members may be on their way from their start to being connected at the same time. */
    startsAtOnce: number;
    /** From the start of the process until its tools are known. */
    handshakeMs: number;
    callMs: number;
    /** For an answer of a worker: what it does takes as long as it takes, saying that it will is a matter of moments. 30 seconds where it is left out. */
    workerMs?: number;
  };
  /** Told to members in the handshake. */
  version: string;
  /** Our own environment, of which only the search path and the locale are taken. */
  hostEnv: Readonly<Record<string, string | undefined>>;
  /** The folder of the Node that `node` means to a member. */
  nodeFolder: string;
  /** What a worker needs to reach the model. It holds credentials; an empty value takes a variable away. */
  modelEnv: () => Readonly<Record<string, string>>;
  /** A private folder of the member, which is made where it is missing. */
  homeOf: (name: MemberName) => string;
  records: MemberRecords;
  now: () => string;
  /** What went wrong beside the members' own lives: a record that cannot be written, a tool nobody can use. */
  onProblem: (error: unknown) => void;
};

/** What is remembered of running members, so that the next life of the hall finds what this one left. */
export type MemberRecords = OrphanRecords<MemberName> & {
  /** Before the process exists. Durable when it resolves. */
  begin(name: MemberName, record: { mark: string; port: number | null; startedAt: string }): Promise<void>;
  /** As soon as it exists. */
  identify(name: MemberName, pid: number): Promise<void>;
};
