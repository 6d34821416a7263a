import { beforeAll } from "vitest";
import type { Hall } from "../running-hall.ts";
import { startSharedHall } from "../running-hall.ts";
import { attackDoors } from "./doors.ts";
import { attackFiles } from "./files.ts";
import { attackWire } from "./wire.ts";

const mostStreams = 2;

let hall: Hall;

/** A hall as everybody has it: without a token, on loopback. */
beforeAll(async () => {
  hall = await startSharedHall({ bundled: false, waiting: false, config: `streams:\n  max: ${mostStreams}\n` });
});

attackDoors(() => hall);
attackWire(() => hall, mostStreams);
attackFiles(() => hall);
