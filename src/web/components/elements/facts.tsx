import { Fragment } from "react";
import type { ReactNode } from "react";

/** Labels and their values, lined up. */
export function Facts({ of: facts }: { of: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3.5 gap-y-[5px]">
      {facts.map(({ label, value }) => (
        <Fragment key={label}>
          <dt className="text-ink-3">{label}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
