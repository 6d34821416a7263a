import { HallError } from "../../schema/hall-error.ts";
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

/** The lines of the Roster, kept in step with the folders below `guild-members/`. */
export function createEntries({ folders, publish, onOffersChange, ...deps }: EntriesDeps) {
  const byFolder = new Map<string, RosterEntry>();
  const told = new WeakMap<RosterEntry, Told>();
  /** Members that were dropped and still end, by name: whoever comes under the same name starts after them. */
  const leaving = new Map<string, Promise<unknown>>();
  let unwatch: () => void = () => undefined;
  let isStarted = false;
  let isClosed = false;
  let scanning: Promise<void> = Promise.resolve();
  let queued: Promise<void> | null = null;

  const all = (): RosterEntry[] => [...byFolder.values()];
  /** Of two that claim one name, the one that has it. */
  const find = (name: string): RosterEntry | undefined =>
    all().find((entry) => entry.name === name && entry.program !== null) ?? all().find((entry) => entry.name === name);

  function onChange(entry: RosterEntry): void {
    if (byFolder.get(entry.found.folder) !== entry) return;
    const { status, error } = entry.describe();
    publish({ event: "roster", data: { id: entry.name, status } });
    const before = told.get(entry);
    const now = { isConnected: status === "connected", tools: entry.program?.tools.list(), error };
    told.set(entry, now);
    if (error !== null && error !== before?.error) deps.onProblem(new HallError("member_failed", `Guild member "${entry.name}": ${error}`));
    if (now.isConnected !== before?.isConnected || now.tools !== before.tools) onOffersChange(entry.name);
  }

  function put({ found, problem }: Placed): void {
    const vacated = leaving.get(found.manifest?.name ?? "") ?? Promise.resolve();
    const entry = createRosterEntry(found, problem, { ...deps, vacated, onChange });
    byFolder.set(found.folder, entry);
    onChange(entry);
    if (isStarted) entry.program?.supervisor.start();
  }

  function drop({ name, found, program }: RosterEntry): void {
    byFolder.delete(found.folder);
    if (program === null) return;
    const gone = Promise.all([leaving.get(name), program.supervisor.close(), program.tools.settled()]);
    leaving.set(name, gone);
    void gone.then(() => leaving.get(name) === gone && leaving.delete(name));
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
    /** From now on every member that is there, or comes, is started. */
    start(): void {
      isStarted = true;
      unwatch = folders.watch(() => void rescan().catch(deps.onProblem));
      for (const { program } of all()) program?.supervisor.start();
    },
    async close(): Promise<void> {
      isClosed = true;
      unwatch();
      await scanning;
      const programs = all().flatMap(({ program }) => (program === null ? [] : [program]));
      await Promise.all(programs.map(({ supervisor }) => supervisor.close()));
      await Promise.all(programs.map(({ tools }) => tools.settled()));
      await Promise.all(leaving.values());
    },
  };
}

/** What of an entry was last told, so that only what is new is told again. */
type Told = { isConnected: boolean; tools: unknown; error: string | null };

function isSame(entry: RosterEntry, { found, problem }: Placed): boolean {
  const { error } = entry.describe();
  return (entry.program === null) === (problem !== null) && (problem === null || error === problem) && sameManifest(entry.found, found);
}

/** Parsed by one schema, so equal manifests are written alike. */
const sameManifest = (a: FoundMember, b: FoundMember): boolean =>
  a.path === b.path && JSON.stringify(a.manifest) === JSON.stringify(b.manifest);
