import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { installationFolders } from "./installation-folders.ts";

it("the folders of an installation are the checkout, or the package and the folder it was installed in", () => {
  const [checkout = "", ...others] = installationFolders();

  expect([existsSync(join(checkout, "bin/guild-hall.js")), others]).toEqual([true, []]);
  expect(installationFolders("/x/node_modules/guild-hall/")).toEqual(["/x/node_modules/guild-hall", "/x"]);
  expect(installationFolders("/")).toEqual(["/"]);
});
