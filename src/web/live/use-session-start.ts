import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { HallClient } from "../../client/hall-client.ts";
import { sessionHref } from "../format/session-href.ts";
import { useBusy } from "./use-busy.ts";

type NewSession = Parameters<HallClient["sessions"]["create"]>[0];

type Starting = {
  /** Whether the person still waits for it, and is led there. */
  isAwaited?: () => boolean;
  onStarted?: () => void;
  onFailure: (failure: unknown) => void;
};

/** Opens a session and leads to its page. */
export function useSessionStart() {
  const router = useRouter();
  const [isAsking, begin] = useBusy();
  const [isLeading, lead] = useTransition();
  const start = (session: NewSession, { isAwaited = () => true, onStarted, onFailure }: Starting) =>
    begin(async () => {
      try {
        const { id } = await createHallClient({ baseUrl: "" }).sessions.create(session);
        const leadsThere = isAwaited();
        onStarted?.();
        if (leadsThere) lead(() => router.push(sessionHref(id)));
      } catch (failure) {
        onFailure(failure);
      }
    });
  return { start, isBusy: isAsking || isLeading };
}
