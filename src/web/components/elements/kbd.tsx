/** A key, as it is written on the keyboard. */
export function Kbd({ children, className = "" }: { children: string; className?: string }) {
  return (
    <kbd
      className={`min-w-4.5 rounded-1 border border-line-strong bg-paper px-[5px] py-[3px] text-center font-ui text-2xs leading-none font-medium whitespace-nowrap text-ink-2 ${className}`}
    >
      {children}
    </kbd>
  );
}
