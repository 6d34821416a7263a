import { TriangleAlert } from "lucide-react";
import type { NearLimit } from "../../live/session-view.ts";
import { Icon } from "../elements/icon.tsx";
import { Notice } from "./session-notice.tsx";

/** The limits that the run is near to, in the order in which it came there. */
export function NearLimits({ of: limits }: { of: readonly NearLimit[] }) {
  if (limits.length === 0) return null;
  return (
    <Notice isTold>
      {limits.map(({ limit, message }) => (
        <p key={limit} className="flex items-start gap-1.5 text-xs text-ink-2">
          <Icon of={TriangleAlert} className="mt-0.5 size-3 text-warn" />
          <span>{nearWords(message)}</span>
        </p>
      ))}
    </Notice>
  );
}

export const nearWords = (message: string): string => `${message} At the limit it pauses and asks you.`;
