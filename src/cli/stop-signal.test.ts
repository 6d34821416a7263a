import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { createStopSignal } from "./stop-signal.ts";

function listen() {
  const source = new EventEmitter();
  const clock = { now: 0 };
  const stop = createStopSignal(source, () => clock.now);
  const heard: string[] = [];
  void stop.requested.then(() => heard.push("requested"));
  void stop.forced.then(() => heard.push("forced"));
  const send = async (event: string, at: number): Promise<string[]> => {
    clock.now = at;
    source.emit(event);
    await Promise.resolve();
    return [...heard];
  };
  return { send };
}

describe("a wish to stop", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP", "disconnect"])("is heard as %s", async (event) => {
    expect(await listen().send(event, 0)).toEqual(["requested"]);
  });

  it("is one wish when the terminal and the launcher both pass it on", async () => {
    const { send } = listen();

    await send("SIGINT", 1000);

    expect(await send("SIGINT", 1010)).toEqual(["requested"]);
  });

  it("is an order when it is repeated", async () => {
    const { send } = listen();

    await send("SIGINT", 1000);

    expect(await send("SIGINT", 2000)).toEqual(["requested", "forced"]);
  });
});
