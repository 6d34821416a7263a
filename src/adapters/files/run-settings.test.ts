import { mkdir, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { createLayout } from "./layout.ts";
import { createRunSettingsFile } from "./run-settings.ts";

it("what was set for runs is kept, is nothing before, and is refused if it was broken by hand", async () => {
  const layout = createLayout(await temporaryFolder());
  await mkdir(layout.state);
  const file = createRunSettingsFile(layout);

  const before = await file.read();
  await file.write(false);
  const after = await createRunSettingsFile(layout).read();
  await writeFile(layout.runSettings, "{");

  expect([before, after]).toEqual([null, false]);
  await expect(file.read()).rejects.toMatchObject({ code: "file_broken" });
});
