import { setTimeout as after } from "node:timers/promises";
import { startHallHost } from "./hall-host.ts";
import type { HallHost, HostOrder } from "./hall-host.ts";
import { openedHall, prepareHome, serveWords, shellEnvironment } from "./hall-request.ts";
import type { Hall, HallRequest } from "./hall-request.ts";
import { endMembersOf } from "./members-left-behind.ts";

export type HostedHall = Hall & {
  /** As Ctrl-C does, once. Rejects where the hall has ended already or does not end as it should. */
  close(): Promise<void>;
};

/** Hosts whose hall is closed. They are warm, and the next halls have them. */
const idle: HallHost[] = [];

/** `guild-hall serve`, with an empty home unless there is one, no key and the demo model, in a process that may have served before. */
export async function openHostedHall(home: string, request: HallRequest = {}): Promise<HostedHall> {
  await prepareHome(home, request);
  const host = idle.pop() ?? startHallHost();
  const opened = await ask(host, home, { words: serveWords(home, request), env: shellEnvironment(home, request) });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await ask(host, home, "close");
    idle.push(host);
  };
  return { ...openedHall(opened, home, request), close: () => (closing ??= close()) };
}

/** A hall is open in less, and gives up closing long before. */
const patienceMs = 60_000;

async function ask(host: HallHost, home: string, order: HostOrder): Promise<string> {
  const inTime = new AbortController();
  const tooLate = after(patienceMs, undefined, inTime).then(() => {
    throw new Error("The process of the hall does not answer.");
  });
  try {
    return await Promise.race([host.ask(order), tooLate]);
  } catch (error) {
    // Nobody knows what it does now, so no other hall is opened in it.
    await host.kill();
    await endMembersOf(home);
    throw error;
  } finally {
    inTime.abort();
  }
}
