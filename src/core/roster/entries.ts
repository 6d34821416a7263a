import type { HallEvent } from "../../schema/hall-event.ts";
import type { FoundMember, MemberFolders } from "./member-folders.ts";
import { createRosterEntry } from "./roster-entry.ts";
import type { EntryDeps, RosterEntry } from "./roster-entry.ts";
import { sortOutNames } from "./sort-out-names.ts";
import type { Placed } from "./sort-out-names.ts";

export type EntriesDeps = EntryDeps & {
  folders: Pick<MemberFolders, "scan" | "watch">;
  publish: (event: HallEvent) => void;
  /** The tools that agents may get from a member are others than before, or it is gone. */
  onOffersChange: (member: string) => void;
};

export type Entries = ReturnType<typeof createEntries>;

/** The lines of the Roster, kept in step with the folders below `guild-members/`. */
export function createEntries({ folders, publish, onOffersChange, ...deps }: EntriesDeps) {
  const byFolder = new Map<string, RosterEntry>();
  /** Whether the member was connected, and its tools, when agents' offers were last known to have changed. */
  const offers = new WeakMap<RosterEntry, unknown[]>();
  let unwatch: () => void = () => undefined;
  let isClosed = false;
  let scanning: Promise<void> = Promise.resolve();
  let queued: Promise<void> | null = null;

  const all = (): RosterEntry[] => [...byFolder.values()];
  /** Of two that claim one name, the one that has it. */
  const find = (name: string): RosterEntry | undefined =>
    all().find((entry) => entry.name === name && entry.program !== null) ?? all().find((entry) => entry.name === name);

  function onChange(entry: RosterEntry): void {
    if (byFolder.get(entry.found.folder) !== entry) return;
    const { status } = entry.describe();
    publish({ event: "roster", data: { id: entry.name, status } });
    const offer = [status === "connected", entry.program?.tools.list()];
    const known = offers.get(entry);
    if (known?.every((each, at) => each === offer[at]) === true) return;
    offers.set(entry, offer);
    onOffersChange(entry.name);
  }

  function put({ found, problem }: Placed): void {
    const entry = createRosterEntry(found, problem, { ...deps, onChange });
    byFolder.set(found.folder, entry);
    if (problem !== null) deps.onProblem(new Error(problem));
    onChange(entry);
    entry.program?.supervisor.start();
  }

  function drop(entry: RosterEntry): void {
    byFolder.delete(entry.found.folder);
    void entry.program?.supervisor.stop();
  }

  async function scan(): Promise<void> {
    queued = null;
    if (isClosed) return;
    const holders = new Map(all().flatMap(({ name, found, program }) => (program === null ? [] : [[name, found.folder]])));
    const placed = sortOutNames(await folders.scan(), holders);
    if (isClosed) return;
    const folderNames = new Set(placed.map(({ found }) => found.folder));
    const before = new Set(all().map(({ name }) => name));
    for (const entry of all()) if (!folderNames.has(entry.found.folder)) drop(entry);
    for (const each of placed) {
      const present = byFolder.get(each.found.folder);
      if (present !== undefined && isSame(present, each)) present.refresh(each.found);
      else {
        if (present !== undefined) drop(present);
        put(each);
      }
    }
    for (const name of before) {
      if (find(name) !== undefined) continue;
      publish({ event: "roster", data: { id: name, status: null } });
      onOffersChange(name);
    }
  }

  /** Resolves after a look at the folders that began after this was called. */
  function rescan(): Promise<void> {
    if (queued !== null) return queued;
    queued = scanning.then(scan);
    scanning = queued.catch(() => undefined);
    return queued;
  }

  return {
    all,
    find,
    rescan,
    async start(): Promise<void> {
      unwatch = folders.watch(() => void rescan().catch(deps.onProblem));
      await rescan();
    },
    async close(): Promise<void> {
      isClosed = true;
      unwatch();
      await scanning;
      await Promise.all(all().map(({ program }) => program?.supervisor.stop()));
      await Promise.all(all().map(({ program }) => program?.tools.settled()));
    },
  };
}

function isSame(entry: RosterEntry, { found, problem }: Placed): boolean {
  const { error } = entry.describe();
  return (entry.program === null) === (problem !== null) && (problem === null || error === problem) && sameManifest(entry.found, found);
}

/** Parsed by one schema, so equal manifests are written alike. */
const sameManifest = (a: FoundMember, b: FoundMember): boolean =>
  a.path === b.path && JSON.stringify(a.manifest) === JSON.stringify(b.manifest);
