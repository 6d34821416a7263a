/** A plain figure, or one that waits for the reader. */
export function Count({ of: figure, label, yours = false }: { of: number; label: string; yours?: boolean }) {
  const look = yours
    ? "min-w-4.5 rounded-full bg-brass-fill px-[5px] py-px text-center font-semibold text-on-brass shadow-[inset_0_0_0_1px_var(--brass-edge)]"
    : "font-medium text-ink-3";
  return (
    <span className={`text-2xs leading-4 tabular-nums ${look}`}>
      {figure}
      <span className="sr-only"> {label}</span>
    </span>
  );
}
