import type { Check } from "../../../schema/check.ts";
import { PlainText } from "../elements/plain-text.tsx";
import { Status } from "../elements/status.tsx";
import type { StatusName } from "../elements/status.tsx";

/** What the hall found on this machine, and what to do where something is amiss. */
export function CheckRows({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className="divide-y divide-line">
      {checks.map((check) => (
        <li key={check.id} className="grid gap-0.5 py-2">
          <Status of={statuses[check.status]} word={check.title} />
          <p className="pl-5 text-xs text-ink-3 [overflow-wrap:anywhere]">
            <PlainText>{check.detail}</PlainText>
          </p>
          {check.advice === null ? null : (
            <p className="pl-5 text-xs text-ink-2 [overflow-wrap:anywhere]">
              <PlainText>{check.advice}</PlainText>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

const statuses: Record<Check["status"], StatusName> = { ok: "completed", info: "idle", warn: "warning", fail: "failed" };
