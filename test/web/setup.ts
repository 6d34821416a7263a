import { afterAll, afterEach } from "vitest";
import { endSharedHalls } from "../running-hall.ts";
import { leaveFile, leaveTest } from "./browser.ts";

// Files follow each other in one process. What they import is read once, and hooks count only for the file that registers them: this is read for each.
afterEach(({ task }) => leaveTest({ isBroken: task.result?.state === "fail" }));
// The last one comes first: a page sees nothing of how its hall ends.
afterAll(endSharedHalls);
afterAll(leaveFile);
