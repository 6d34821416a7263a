import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLayout } from "./layout.ts";
import { openSessionStore } from "./session-store.ts";
import { sessionWith } from "../../schema/session.testing.ts";

/** Deletes a session of which it may not remove a file, opens the store anew, and prints what is there then and what it was told. */
const layout = createLayout(process.argv[2] ?? "");
const problems: unknown[] = [];
const open = () => openSessionStore({ layout, onProblem: (error) => problems.push(error) });
await mkdir(layout.sessions);
const store = await open();
const { id } = await store.create(sessionWith());
const closed = "artifacts/closed";
await mkdir(join(layout.session(id).folder, closed));
await writeFile(join(layout.session(id).folder, closed, "file"), "kept");
await chmod(join(layout.session(id).folder, closed), 0o500);

await store.remove(id);
const left = await store.get(id);
await store.close();
const again = await open();
const { sessions } = await again.list({ limit: 9 });
await again.close();

await chmod(join(layout.sessions, `.deleted-${id}`, closed), 0o700);
process.stdout.write(`${JSON.stringify({ left, sessions, problems: problems.map(String) })}\n`);
