import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { personKeyOf } from "../person.ts";
import { runCommand } from "./command.ts";
import { openServedHall } from "./served-hall.ts";
import type { ServedHall } from "./served-hall.ts";

let hall: ServedHall;

beforeAll(async () => {
  hall = await openServedHall();
  return hall.close;
});

const run = (...args: string[]) => runCommand([...args, "--home", hall.home]);

describe("guild-hall open", () => {
  it("prints an address with a code on stdout, another one each time, and never the key (SEC-21)", async () => {
    const text = await run("open");
    const json = await run("open", "--json");

    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\?code=[\w-]{22}\n$/);
    const { entryUrl, expiresAt } = JSON.parse(json.stdout) as { entryUrl: string; expiresAt: string };
    expect(entryUrl).not.toBe(text.stdout.trim());
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(text.stdout + json.stdout).not.toContain(personKeyOf(hall.home));
  });

  it("exits with 5 where no hall is open", async () => {
    const { code, stderr } = await runCommand(["open", "--home", join(hall.home, "sessions")]);

    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining("No hall is open on") as string });
  });
});

describe("a command that needs the person's key (SEC-21)", () => {
  it("says what to do where the home has none, and names a key that is broken", async () => {
    const key = join(hall.home, "person.key");
    const whole = `${personKeyOf(hall.home)}\n`;
    await rm(key);
    const without = await run("limit", "7");
    await writeFile(key, "half a key\n");
    const broken = await run("limit", "7");
    await writeFile(key, whole);

    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining("Restart the hall: it makes a new one.") as string });
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining(`${key} is broken`) as string });
    expect(await run("limit", "7")).toMatchObject({ code: 0 });
  });
});
