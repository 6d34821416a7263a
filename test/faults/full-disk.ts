import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { HallError } from "../../src/schema/hall-error.ts";
import { spawnHall } from "../hall-process.ts";
import type { HallProcess } from "../hall-process.ts";
import { openSmallDisk } from "../small-disk.ts";
import { faultsAfter } from "./aftermath.ts";
import { faultsIn, open, watch, wholeHistory } from "./conversation.ts";
import type { Conversation } from "./conversation.ts";
import type { Round } from "./strike.ts";

const quick = ["hello", "markdown"] as const;
const things = [...quick, "failing tool", "tour"] as const;

/** What a hall needs to meet it, when the disk is full, and how there is room again. */
type Shortage = { env: Record<string, string>; untilFull(talking: Promise<unknown>): Promise<void>; free(): Promise<void> };

/** Fills the disk somewhere in a conversation, tries everything while it is full, and frees it again. */
export async function fillDisk({ home, random, ...round }: Round): Promise<string[]> {
  const disk = await openSmallDisk(join(dirname(home), "disk"));
  try {
    const untilFull = () => pause(random.below(2000)).then(disk.fill);
    return await talkInShortage({ home: join(disk.folder, "home"), random, ...round }, { env: disk.env, untilFull, free: disk.free });
  } finally {
    await disk.remove();
  }
}

/** The same, but the disk is full from one write on, which may be any. */
export function fillDiskAtWrite({ home, random, ...round }: Round): Promise<string[]> {
  const file = join(dirname(home), "full");
  const messages = round.isShort ? 2 : 4;
  const at = [1 + random.below(messages), random.below(12), random.oneOf([0, 0, 1, 100])].join(".");
  const env = { NODE_OPTIONS: `--import=${fullAtWrite}`, FULL_AT_WRITE: at, FULL_FILE: file };
  const untilFull = async (talking: Promise<unknown>) => {
    let isOver = false;
    const over = () => (isOver = true);
    talking.then(over, over);
    while (!existsSync(file) && !isOver) await pause(10);
  };
  return talkInShortage({ home, random, ...round }, { env, untilFull, free: () => rm(file, { force: true }) });
}

const fullAtWrite = new URL("full-at-write.ts", import.meta.url).href;

async function talkInShortage({ home, random, isShort }: Round, { env, untilFull, free }: Shortage): Promise<string[]> {
  const hall = await spawnHall(home, { bundled: false, waiting: false, env });
  try {
    const conversations = [await open(hall, "One"), await open(hall, "Two")] as const;
    const [first, other] = conversations;
    const faults: string[] = [];
    const talk = async () => {
      for (const text of [random.oneOf(isShort ? quick : things), ...(isShort ? [] : ["hello"])])
        faults.push(...(await offer(hall, first, text)));
      await watch(hall, first);
    };
    const talking = talk();
    await untilFull(talking);
    faults.push(...(await tryEverything(hall, other)));
    await pause(random.below(1500));
    await free();
    await talking;
    await watch(hall, other);
    for (const each of conversations) faults.push(...(await faultsIn(hall, each)), ...(await uninvited(hall, each)));
    await hall.end("SIGKILL");
    return [...faults, ...(await faultsAfter(home, isShort ? [first] : conversations))];
  } finally {
    await hall.end("SIGTERM");
  }
}

/** Everything that wants room is taken for good, or refused in words. */
async function tryEverything({ client, ...hall }: HallProcess, conversation: Conversation): Promise<string[]> {
  const { id } = conversation;
  const created = refusalOf(client.sessions.create({ name: "One more" }).then(({ id: one }) => client.sessions.get(one)));
  const renamed = refusalOf(client.sessions.change(id, { name: "Another name" }));
  const sent = offer({ client, ...hall }, conversation, "hello");
  const added = refusalOf(
    client.sessions.artifacts.add(id, "notes.txt", new Blob(["x".repeat(20_000)])).then(async ({ path }) => {
      const kept = await (await client.sessions.artifacts.read(id, path)).text();
      if (kept.length !== 20_000) throw new Error(`notes.txt was taken, and ${kept.length} bytes are there.`);
    }),
  );
  const asked = client.health().then(
    () => [],
    (error: unknown) => [`A full disk keeps the hall from answering: ${String(error)}`],
  );
  return (await Promise.all([created, renamed, sent, added, asked])).flat();
}

async function offer({ client }: Pick<HallProcess, "client">, { id, accepted }: Conversation, text: string): Promise<string[]> {
  return refusalOf(client.sessions.send(id, text, { queue: true }).then(({ messageId }) => accepted.push(messageId)));
}

const refusalOf = (work: Promise<unknown>): Promise<string[]> =>
  work.then(
    () => [],
    (error: unknown) => (error instanceof HallError && error.code === "disk_full" ? [] : [`Refused on a full disk with: ${String(error)}`]),
  );

/** What was refused is not answered in secret. It may have come as far as the history. */
async function uninvited(hall: HallProcess, { id, accepted }: Conversation): Promise<string[]> {
  const { messages } = await wholeHistory(hall, id);
  return messages.flatMap((message, at) => {
    const isRefused = message.role === "user" && !accepted.includes(message.id);
    return isRefused && messages[at + 1]?.role === "assistant" ? [`${message.id} was refused, and is answered all the same.`] : [];
  });
}
