import type { ReactNode } from "react";

type EmptyProps = {
  title: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  /** It stands for all that the page has, right below its head, and not for a part of it. */
  isWholePage?: true;
};

/** Where nothing is yet: what would be here, in one sentence, and the one action that fills it. */
export function Empty({ title, children, action, isWholePage }: EmptyProps) {
  const Heading = isWholePage ? "h2" : "h3";
  return (
    <div className="grid content-start justify-items-start gap-[5px] rounded-3 border border-dashed border-line-strong p-5 text-ink-2">
      <Heading className="font-ui text-md font-semibold tracking-normal text-ink">{title}</Heading>
      <p className="max-w-[56ch]">{children}</p>
      {action === undefined ? null : <div className="mt-1.5">{action}</div>}
    </div>
  );
}
