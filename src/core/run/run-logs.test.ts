import { expect, it } from "vitest";
import { newMessageId, newSessionId } from "../../schema/ids.ts";
import { SessionEvent } from "../../schema/session-event.ts";
import { createMemoryProgress } from "./progress-store.testing.ts";
import { createRunLogs } from "./run-logs.ts";

it("gives a run that waits the log it was watched through, though a refused run came to its turn first", async () => {
  const logs = createRunLogs({
    progress: {
      open: () => createMemoryProgress(),
      remove: async () => undefined,
      readLeft: async () => [],
      keepOnly: async () => undefined,
    },
    parse: (event) => SessionEvent.parse(event),
    onProblem: (error) => expect.unreachable(String(error)),
  });
  const [id, refused, waiting] = [newSessionId(), newMessageId(), newMessageId()];
  logs.of(id, refused).close();
  const watched = logs.of(id, waiting);

  logs.of(id, refused).close();

  expect(logs.of(id, waiting)).toBe(watched);
  expect(logs.get(id)).toBe(watched);
});
