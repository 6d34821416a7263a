/** So much of each text is in a page before the browser draws it. */
const mostAtFirst = 20_000;

/** Text that is not formatted, with its line breaks. */
export const PlainPassage = ({ text }: { text: string }) => (
  <p className="max-w-(--measure) text-md whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
);

/** Stands where formatted text will be. */
export const PlainBeginning = ({ text }: { text: string }) => <PlainPassage text={text.slice(0, mostAtFirst).toWellFormed()} />;
