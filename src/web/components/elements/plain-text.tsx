/** A sentence of the hall, which sets commands and names between backticks. */
export const PlainText = ({ children }: { children: string }) => (
  <>{children.split("`").map((part, index) => (index % 2 === 1 ? <code key={`${index} ${part}`}>{part}</code> : part))}</>
);
