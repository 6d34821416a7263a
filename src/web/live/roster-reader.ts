import type { HallClient } from "../../client/hall-client.ts";
import type { Member } from "../../schema/roster.ts";

export type RosterReader = {
  /** Something about this member changed. */
  changed(name: string): void;
  /** Anything may have changed. */
  readAll(): void;
  close(): void;
};

type RosterReaderDeps = {
  client: Pick<HallClient["roster"], "list" | "get">;
  /** The names that are known now. One that is not, or that two claim, cannot be read alone. */
  knownNames: () => readonly string[];
  onAll: (members: readonly Member[]) => void;
  onOne: (member: Member) => void;
};

/** Changes that come together cost one reading. */
const gatherMs = 150;
/** From here on one reading of everything is cheaper than one for each. */
const manyNames = 4;

/** Reads of the Roster what changed, and no more: one reading at a time, changes in between gathered for the next. */
export function createRosterReader({ client, knownNames, onAll, onOne }: RosterReaderDeps): RosterReader {
  const waiting = new Set<string>();
  let isAllWanted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  let isClosed = false;

  function plan(): void {
    if (isClosed || isReading || timer !== undefined) return;
    timer = setTimeout(() => void read(), gatherMs);
  }

  async function read(): Promise<void> {
    timer = undefined;
    isReading = true;
    const names = [...waiting];
    const isAll = isAllWanted || names.length > manyNames || names.some((name) => count(knownNames(), name) !== 1);
    waiting.clear();
    isAllWanted = false;
    try {
      if (isAll) await readList();
      else await Promise.all(names.map(readOne));
    } catch {
      // The hall is away or restarting: when it is back, that is news, and everything is read again.
    }
    isReading = false;
    if (waiting.size > 0 || isAllWanted) plan();
  }

  async function readList(): Promise<void> {
    const { members } = await client.list();
    if (!isClosed) onAll(members);
  }

  async function readOne(name: string): Promise<void> {
    const member = await client.get(name);
    if (!isClosed) onOne(member);
  }

  return {
    changed(name) {
      waiting.add(name);
      plan();
    },
    readAll() {
      isAllWanted = true;
      plan();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const count = (names: readonly string[], wanted: string): number => names.filter((name) => name === wanted).length;
