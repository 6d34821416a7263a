/** A block of code or data, kept as it is. It scrolls by itself, so the keyboard must be able to reach it. */
export function Code({ label, children, className = "" }: { label: string; children: string; className?: string }) {
  return (
    <pre tabIndex={0} role="region" aria-label={label} className={`${codeClass} ${className}`}>
      {children}
    </pre>
  );
}

export const codeClass =
  "overflow-auto rounded-2 bg-sunken px-3 py-[9px] text-(length:--code) leading-[19px] whitespace-pre text-ink [tab-size:2]";
