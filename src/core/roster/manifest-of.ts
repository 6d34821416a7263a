import type { z } from "zod";
import type { Manifest } from "../../schema/manifest.ts";
import type { AddMember } from "../../schema/roster.ts";

const mostCharacters = 1000;

/** The manifest of a member that a person adds by its command. */
export function manifestOf({ name, displayName, description, transport, command, args, env }: Confirmed): Manifest {
  return {
    name,
    displayName: displayName ?? name,
    description: description ?? `Started with: ${[command, ...args].join(" ")}`.slice(0, mostCharacters).toWellFormed().trim(),
    version: "1.0.0",
    transport,
    mcp: { command, args, env },
    capabilities: [],
  };
}

type Confirmed = z.output<typeof AddMember>;
