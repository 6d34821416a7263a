import { isWorker } from "../../schema/manifest.ts";
import type { MemberGlance } from "./member-glance.ts";
import { useRoster } from "./roster-provider.tsx";

/** The members that take jobs. Of two that claim one name, the first. */
export function useWorkers(): readonly MemberGlance[] {
  const workers = useRoster().filter(isWorker);
  return workers.filter(({ name }, at) => workers.findIndex((other) => other.name === name) === at);
}
