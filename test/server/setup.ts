import { afterAll } from "vitest";
import { endResearchers } from "../researcher/member-process.ts";
import { endSharedHalls } from "../running-hall.ts";

// Files follow each other in one process. What they import is read once, and hooks count only for the file that registers them: this is read for each.
afterAll(endSharedHalls);
afterAll(endResearchers);
