import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { putMember } from "../../../test/server/members-by-hand.ts";
import { playedBy } from "../../adapters/members/played-member.testing.ts";
import { MemberName } from "../../schema/ids.ts";
import { composeTestHall } from "../composed-hall.testing.ts";
import type { TestHall } from "../composed-hall.testing.ts";

const key = "a-key-of-a-gateway";

describe("the model that is found at the start", () => {
  it("has its credentials kept out of what the hall says, also those in headers (SEC-9)", async () => {
    const headers = "x-tenant: one\nx-gateway: a-header-of-a-gateway";
    const { ask } = await composeTestHall({ env: { ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_CUSTOM_HEADERS: headers } });

    const { body } = await ask("POST", "/api/sessions", { name: "x", members: [key, "a-header-of-a-gateway"] });

    expect(body).toMatchObject({ code: "bad_request", detail: expect.stringContaining("[removed]") as string });
    expect(JSON.stringify(body)).not.toContain("gateway");
  });
});

describe("looking for a model again", () => {
  it("hands a key that was found to the workers too, and to no other member (SEC-9)", async () => {
    const hall = await composeTestHall({
      prepare: async (home) => {
        await putMember(home, "worker", { ...playedBy("stdio", "well"), capabilities: ["worker"] });
        await putMember(home, "helper", playedBy("stdio", "well"));
      },
    });
    await expect.poll(() => surroundings(hall, "helper")).not.toBeNull();
    const before = await surroundings(hall, "helper");
    await expect.poll(() => surroundings(hall, "worker")).toMatchObject({ env: { ANTHROPIC_API_KEY: "demo" } });

    await addKey(hall);
    const found = await hall.client.findModel();
    await expect.poll(() => surroundings(hall, "worker")).toMatchObject({ env: { ANTHROPIC_AUTH_TOKEN: key } });
    const worker = await surroundings(hall, "worker");
    await hall.client.findModel();

    expect(found.backend).toBe("claude");
    // Neither a member that needs no model, nor a worker that has it already, is disturbed.
    expect(await surroundings(hall, "helper")).toEqual(before);
    expect(JSON.stringify(before)).not.toContain(key);
    expect(await surroundings(hall, "worker")).toEqual(worker);
  });

  it("keeps a key that was found out of what the hall says (SEC-9)", async () => {
    const hall = await composeTestHall();
    await addKey(hall);
    await hall.client.findModel();

    const { body } = await hall.ask("POST", "/api/sessions", { name: "x", members: [key] });

    expect(body).toMatchObject({ code: "bad_request", detail: expect.stringContaining('"[removed]"') as string });
  });
});

/** As a person does it: into the file that is read when somebody asks to look again. */
const addKey = ({ home }: TestHall): Promise<void> =>
  writeFile(join(home, "../.env.local"), `ANTHROPIC_AUTH_TOKEN=${key}\n`, { mode: 0o600 });

/** Of the process that a member is at this moment; null where it is on its way. */
async function surroundings({ client }: TestHall, name: string): Promise<unknown> {
  const call = { member: MemberName.parse(name), tool: "surroundings", input: {} };
  const answer = await client.tools.invoke(call).catch(() => null);
  const [content] = answer?.content ?? [];
  return content?.type === "text" ? (JSON.parse(content.text) as unknown) : null;
}
