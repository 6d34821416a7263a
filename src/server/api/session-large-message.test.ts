import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newMessageId } from "../../schema/ids.ts";
import { composeTestHall } from "../composed-hall.testing.ts";

it("a message of 30 MB that an earlier version stored is cut on its page (SEC-15)", async () => {
  const { client, home, ask } = await composeTestHall();
  const { id } = await client.sessions.create({ name: "Large" });
  const blocks = [{ type: "text", text: "x".repeat(30_000_000) }];
  const message = { id: newMessageId(), role: "assistant", at: new Date().toISOString(), blocks };
  await writeFile(join(home, "sessions", id, "messages.jsonl"), `${JSON.stringify(message)}\n`);

  const { status, body } = await ask("GET", `/api/sessions/${id}`);

  expect(status).toBe(200);
  expect(JSON.stringify(body).length).toBeLessThan(1_100_000);
  expect(body).toMatchObject({ messages: [{ id: message.id, blocks: [{ text: expect.stringContaining("[Cut here: ") as string }] }] });
});
