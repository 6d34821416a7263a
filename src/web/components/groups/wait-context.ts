import { createContext } from "react";
import type { WaitingFor } from "../../../schema/run.ts";

/** What the answer in a conversation waits for; null while it goes on. While it waits, nothing in it moves. */
export const WaitContext = createContext<WaitingFor | null>(null);
