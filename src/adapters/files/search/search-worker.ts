import { parentPort, workerData } from "node:worker_threads";
import { createLayout } from "../layout.ts";
import { createIndexKeeper } from "./index-keeper.ts";
import type { Answer, Call } from "./message-search.ts";

/** The thread of the message index: calls come in, answers go out. */
const say = (answer: Answer) => parentPort?.postMessage(answer);
const words = (error: unknown) => (error instanceof Error ? error.message : String(error));
// What `openMessageSearch` hands over.
const { home } = workerData as { home: string };
const keeper = createIndexKeeper({ layout: createLayout(home), onProblem: (error) => say({ problem: words(error) }) });

async function answer({ number, name, args }: Call): Promise<void> {
  try {
    // The caller's types tie the arguments to the name.
    const method = keeper[name] as (...given: unknown[]) => unknown;
    say({ number, value: await method(...args) });
  } catch (error) {
    say({ number, problem: words(error) });
  }
}

parentPort?.on("message", (call: Call) => void answer(call));
void keeper.check();
