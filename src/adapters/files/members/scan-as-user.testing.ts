import { createLayout } from "../layout.ts";
import { createMemberFolders } from "./member-folders.ts";

/** A program for a test: what a scan finds in the home it is given, for whoever runs it. */
const [home = ""] = process.argv.slice(2);
const found = await createMemberFolders({ layout: createLayout(home), onProblem: () => undefined }).scan();
process.stdout.write(`${JSON.stringify(found.map(({ problem }) => problem))}\n`);
