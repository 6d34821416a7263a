import { readFile, readdir, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { createScrubber } from "../core/guard/scrub.ts";
import { createHallLog } from "./log.ts";

it("writes JSON lines for nobody else to read, and never a key (SEC-9, SEC-16)", async () => {
  const folder = await temporaryFolder();
  const log = createHallLog({
    path: join(folder, "hall.log"),
    level: "info",
    megabytes: 1,
    files: 2,
    scrub: createScrubber(["my-own-secret"]),
  });

  log.logger.info({ headers: { authorization: "Bearer abcdefghij" } }, "with my-own-secret");
  log.logger.error(new Error("failed with sk-ant-api03-abcdefgh"));
  await log.flush();

  const text = await readFile(join(folder, "hall.log"), "utf8");
  const lines = text.trim().split("\n");
  expect(lines.map((line) => z.object({ level: z.number() }).parse(JSON.parse(line)).level)).toEqual([30, 50]);
  expect(text).not.toMatch(/my-own-secret|abcdefgh/);
  expect((await stat(join(folder, "hall.log"))).mode & 0o077).toBe(0);
});

it("is rotated by size and keeps a bounded number of files (SEC-15)", async () => {
  const folder = await temporaryFolder();
  const log = createHallLog({ path: join(folder, "hall.log"), level: "info", megabytes: 1, files: 2, scrub: (text) => text });

  for (let count = 0; count < 50; count += 1) {
    log.logger.info({ padding: "x".repeat(100_000) }, "line");
    await new Promise(setImmediate);
  }
  await log.flush();

  const files = await readdir(folder);
  expect(files.toSorted()).toEqual(["hall.1.log", "hall.2.log", "hall.log"]);
  for (const file of files) expect((await stat(join(folder, file))).mode & 0o077).toBe(0);
});

it("goes on after a full disk with the next line, and glues it to nothing", async () => {
  const file = join(await temporaryFolder(), "hall.log");
  await symlink("/dev/full", file);
  const log = createHallLog({ path: file, level: "info", megabytes: 1, files: 2, scrub: (text) => text });
  log.logger.info("lost");
  await rm(file);

  await expect
    .poll(() => {
      log.logger.info("kept");
      return readFile(file, "utf8").catch(() => "");
    })
    .toContain("kept");
  await log.flush();

  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ msg: "kept" });
});
