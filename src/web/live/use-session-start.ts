import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { createHallClient } from "../../client/hall-client.ts";
import type { HallClient } from "../../client/hall-client.ts";
import { sessionHref } from "../format/session-href.ts";

type NewSession = Parameters<HallClient["sessions"]["create"]>[0];

/** Opens a session and leads to its page. */
export function useSessionStart() {
  const router = useRouter();
  const [isBusy, begin] = useTransition();
  const start = (session: NewSession, { onStarted, onFailure }: { onStarted?: () => void; onFailure: (failure: unknown) => void }) =>
    begin(async () => {
      try {
        const { id } = await createHallClient({ baseUrl: "" }).sessions.create(session);
        onStarted?.();
        router.push(sessionHref(id));
      } catch (failure) {
        onFailure(failure);
      }
    });
  return { start, isBusy };
}
