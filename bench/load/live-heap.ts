import { once } from "node:events";
import { z } from "zod";

/** With this in its environment a Node process lets itself be asked. It prints the address on stderr. */
export const inspectable = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const Answer = z.object({ id: z.literal(2), result: z.object({ usedSize: z.number() }) });

/** What a process holds on to, once what nobody needs is gone. What the kernel counts also has what may be needed again soon. */
export async function liveHeapMebibytes(stderr: string): Promise<number> {
  const address = /ws:\/\/\S+/.exec(stderr)?.[0];
  if (address === undefined) throw new Error("The hall did not say where it can be inspected.");
  const socket = new WebSocket(address);
  const answered = new Promise<number>((resolve, reject) => {
    socket.addEventListener("message", ({ data }) => {
      const answer = Answer.safeParse(JSON.parse(String(data)));
      if (answer.success) resolve(answer.data.result.usedSize / 2 ** 20);
    });
    socket.addEventListener("close", () => reject(new Error("The hall went away while it was inspected.")));
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" }));
  socket.send(JSON.stringify({ id: 2, method: "Runtime.getHeapUsage" }));
  const found = await answered;
  socket.close();
  return found;
}
