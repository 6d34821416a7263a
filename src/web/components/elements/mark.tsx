/** The house mark: a doorway with a keystone. */
export function Mark({ className = "size-5" }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden
      className={`block flex-none text-ink ${className}`}
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
    >
      <path d="M2 14.25V8.2C2 4.7 4.6 2 8 2s6 2.7 6 6.2v6.05" strokeWidth="1.6" />
      <path d="M5.2 14.25V8.6C5.2 6.8 6.4 5.6 8 5.6s2.8 1.2 2.8 3v5.65" strokeWidth="1.2" opacity=".55" />
      <path d="M6.7.9h2.6L8.8 4.6H7.2Z" stroke="none" className="fill-brass-fill" />
    </svg>
  );
}
