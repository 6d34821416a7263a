import { chmod, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { createLayout } from "./layout.ts";
import { readPersonKey, takePersonKey } from "./person-key.ts";

const newHome = async () => createLayout(await temporaryFolder());

it("makes a key once, for its owner alone, and finds the same one afterwards (SEC-21)", async () => {
  const layout = await newHome();

  expect(await readPersonKey(layout)).toBeNull();
  const key = await takePersonKey(layout);

  expect(key).toMatch(/^[\w-]{43}$/);
  expect(await readFile(layout.personKey, "utf8")).toBe(`${key}\n`);
  expect((await stat(layout.personKey)).mode & 0o777).toBe(0o600);
  expect(await takePersonKey(layout)).toBe(key);
});

it("closes a key that a copy has left open to others (SEC-16, SEC-21)", async () => {
  const layout = await newHome();
  await takePersonKey(layout);
  await chmod(layout.personKey, 0o644);

  await takePersonKey(layout);

  expect((await stat(layout.personKey)).mode & 0o777).toBe(0o600);
});

it.each(["", "short\n", `${"k".repeat(44)}\n`, `${"k".repeat(43)}\n\n`, "k ".repeat(5_000)])(
  "names a file that is no key and leaves it as it is: %j",
  async (text) => {
    const layout = await newHome();
    await writeFile(layout.personKey, text);

    await expect(takePersonKey(layout)).rejects.toMatchObject({
      code: "file_broken",
      message: expect.stringContaining(layout.personKey) as string,
    });
    expect(await readFile(layout.personKey, "utf8")).toBe(text);
  },
);

it("does not follow a link (SEC-8, SEC-21)", async () => {
  const layout = await newHome();
  const elsewhere = join(layout.home, "elsewhere");
  await writeFile(elsewhere, `${"k".repeat(43)}\n`);
  await symlink(elsewhere, layout.personKey);

  await expect(readPersonKey(layout)).rejects.toMatchObject({ code: "file_broken" });
});
