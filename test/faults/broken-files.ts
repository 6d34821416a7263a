import { cp, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { HallInProcess } from "../../src/server/hall-in-process.testing.ts";
import { HallError } from "../../src/schema/hall-error.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { faultsIn, open, talk } from "./conversation.ts";
import { damage } from "./damage.ts";
import type { Damage } from "./damage.ts";
import { furnish, played, script } from "./furnished-home.ts";
import type { Furnished } from "./furnished-home.ts";
import { lookAround } from "./look-around.ts";
import type { Sight } from "./look-around.ts";
import { withHall, withModel } from "./scripted-hall.ts";
import type { Round } from "./strike.ts";

/** Leaves a home with a little of everything, breaks a file of it again and again, and looks at what a hall makes of it. */
export function breakFiles({ home, random, isShort }: Round): Promise<string[]> {
  const timesBroken = isShort ? 1 : 3;
  const folder = dirname(home);
  const left = join(folder, "left");
  return withModel(script, async (model) => {
    const furnished = await withHall({ folder: join(folder, "first"), home, model }, (hall) => furnish(hall, left, { isShort }));
    const whole = await copyOf(left, join(folder, "whole"));
    const sight = await withHall({ folder: join(folder, "second"), home: whole, model }, ({ client }) => lookAround(client, furnished));
    const faults: string[] = [];
    for (let time = 0; time < timesBroken; time += 1) {
      const copy = await copyOf(left, join(folder, `broken-${time}`));
      const done = await damage(copy, random);
      const found = await faultsOf({ home: copy, model, furnished, sight, done, isShort });
      faults.push(...found.map((fault) => `${done.path} (${done.how}): ${fault}`));
      await rm(copy, { recursive: true, force: true, maxRetries: 5 });
    }
    return faults;
  });
}

async function copyOf(home: string, copy: string): Promise<string> {
  await cp(home, copy, { recursive: true });
  return copy;
}

type Broken = { home: string; model: ScriptedModel; furnished: Furnished; sight: Sight; done: Damage; isShort: boolean };

async function faultsOf({ home, model, furnished, sight, done, isShort }: Broken): Promise<string[]> {
  const openings = { folder: `${home}-user`, home, model };
  let changed: string[] = [];
  try {
    const faults = await withHall(openings, async (hall) => {
      changed = differences(sight, await lookAround(hall.client, furnished));
      const fresh = isShort ? [] : await beginsAnew(hall);
      return [...elsewhere(changed, done, furnished), ...fresh, ...(await answersOrSays(hall, sessionOf(done, furnished)))];
    });
    return [...faults, ...(await silence(home, changed, done)), ...(await overwritten(home, done))];
  } catch (error) {
    // A home that may be somebody else's is not touched.
    const isRefusal = done.path === "version" && error instanceof HallError && ["file_broken", "home_newer"].includes(error.code);
    return isRefusal ? [] : [`the hall does not start or go on: ${String(error)}`];
  }
}

const differences = (before: Sight, now: Sight): string[] =>
  [...before].flatMap(([part, seen]) => (now.get(part) === seen ? [] : [`${part} was ${seen} and is ${now.get(part)}`]));

/** What is broken stays where it is: no other part of the hall shows anything else than before. */
function elsewhere(changed: readonly string[], { path }: Damage, furnished: Furnished): string[] {
  const own = partsOf(path, furnished);
  return changed.filter((difference) => !own.some((part) => difference.startsWith(`${part} was `)));
}

/** The parts that a file is of. */
function partsOf(path: string, { one, two, three }: Furnished): string[] {
  const session = [one, two, three].find((id) => path.startsWith(`sessions/${id}/`));
  // A session whose record is broken has no name of its own in the list.
  if (session !== undefined) return path.endsWith(".json") ? [session, "sessions"] : [session, "search"];
  if (path.startsWith("sessions/")) return ["sessions"];
  return Object.entries(parts).flatMap(([beginning, part]) => (path.startsWith(beginning) ? [part] : []));
}

const parts: Readonly<Record<string, string>> = {
  "state/saved-calls": "saved calls",
  "state/tool-calls": "tool calls",
  "state/spending": "spending",
  "state/day-limit": "spending",
  "state/accepted-tools": played,
  "guild-members": played,
};

/**
 * What a person writes can say anything, and lines that lost some of them read well, unless somebody counts. What the hall
 * writes and cannot read, it tells.
 */
async function silence(home: string, changed: readonly string[], { path, how, bytes }: Damage): Promise<string[]> {
  const isFree = /(context\.md|artifacts\/.*)$/.test(path) || (/(spending|calls)\.jsonl$/.test(path) && isReadable(path, bytes));
  if (changed.length === 0 || isFree || changed.some((difference) => difference.includes(path))) return [];
  const log = await readFile(join(home, "logs/hall.log"), "utf8");
  return log.includes(path) ? [] : [`nobody says that it was ${how}, and ${changed.join(", and ")}`];
}

/** Documents a person could still mend, or that say more than the hall understood. */
async function overwritten(home: string, { path, bytes }: Damage): Promise<string[]> {
  const isKept =
    /session\.json|messages\.jsonl|queue\.json|saved-calls\.json|day-limit\.json|spending\.json$|accepted-tools|guild-member\.json/.test(
      path,
    );
  if (!isKept || isReadable(path, bytes)) return [];
  const now = await readFile(join(home, path)).catch(() => Buffer.alloc(0));
  return now.subarray(0, bytes.length).equals(bytes) ? [] : ["what was in it is gone."];
}

function isReadable(path: string, bytes: Buffer): boolean {
  const lines = path.endsWith(".jsonl") ? bytes.toString().split("\n") : [bytes.toString()];
  try {
    for (const line of lines) if (line !== "") JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** A new session can be had, and is answered. */
async function beginsAnew(hall: HallInProcess): Promise<string[]> {
  const fresh = await open(hall, "Afterwards");
  await talk(hall, fresh, "Still there?");
  const { session } = await hall.client.sessions.get(fresh.id);
  const said = session.error === null ? [] : [`a new session is not answered: ${session.error.message}`];
  return [...said, ...(await faultsIn(hall, fresh))];
}

/** The one that is broken, or any other. */
const sessionOf = ({ path }: Damage, { one, two, three }: Furnished): SessionId => [one, two, three].find((id) => path.includes(id)) ?? one;

/** A session that nobody broke is answered, and one that is broken says so. */
async function answersOrSays({ client }: HallInProcess, id: SessionId): Promise<string[]> {
  const refused = await client.sessions.send(id, "And you?").then(
    () => null,
    (error: unknown) => (error instanceof HallError && error.code !== "internal" ? [] : [`${id} refuses with: ${String(error)}`]),
  );
  if (refused !== null) return refused;
  for await (const { event } of client.sessions.events(id)) if (event.event === "done") break;
  const { session } = await client.sessions.get(id);
  if (session.status === "running") return [`${id} says that it runs, and nothing does.`];
  return session.error?.code === "internal" ? [`${id} ended with: ${session.error.message}`] : [];
}
