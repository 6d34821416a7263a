import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { apiDocument } from "./api-document/api-document.ts";

await writeFile(join(import.meta.dirname, "../docs/api.md"), await apiDocument());
console.log("docs/api.md says what the hall serves.");
