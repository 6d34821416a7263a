import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drawArchitecture, placePicture } from "./arrows/picture.ts";
import { readImportGraph } from "./arrows/import-graph.ts";

const root = join(import.meta.dirname, "..");
const document = join(root, "ARCHITECTURE.md");

const picture = drawArchitecture(await readImportGraph(root));
await writeFile(document, placePicture(await readFile(document, "utf8"), picture));
console.log("ARCHITECTURE.md shows the imports as they are.");
