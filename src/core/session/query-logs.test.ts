import { expect, it } from "vitest";
import { newMessageId, newSessionId } from "../../schema/ids.ts";
import { createMemoryProgress } from "./progress-store.testing.ts";
import { createQueryLogs } from "./query-logs.ts";

it("gives a query that waits the log it was watched through, though one that was refused came to its turn first", async () => {
  const logs = createQueryLogs({
    progress: {
      open: () => createMemoryProgress(),
      remove: async () => undefined,
      readLeft: async () => [],
      keepOnly: async () => undefined,
    },
    onProblem: (error) => expect.unreachable(String(error)),
  });
  const [id, refused, waiting] = [newSessionId(), newMessageId(), newMessageId()];
  logs.of(id, refused).close();
  const watched = logs.of(id, waiting);

  logs.of(id, refused).close();

  expect(logs.of(id, waiting)).toBe(watched);
  expect(logs.get(id)).toBe(watched);
});
