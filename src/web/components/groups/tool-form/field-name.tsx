import type { ReactNode } from "react";

export type FieldFacts = {
  /** The key in the input, or what a place in a list is called. */
  name: string;
  title: string | undefined;
  type: string;
  isRequired: boolean;
  hint: string | undefined;
};

/** What a field is called: its title as people read it, else its key as programs do. */
export function FieldName({ name, title, type, isRequired }: FieldFacts): ReactNode {
  return (
    <>
      {title === undefined ? (
        <code className="[overflow-wrap:anywhere]">{name}</code>
      ) : (
        <span title={name} className="[overflow-wrap:anywhere]">
          {title}
        </span>
      )}{" "}
      <span className="font-mono text-[11.5px] leading-4 font-normal text-ink-3 empty:hidden">{type}</span>{" "}
      {isRequired ? <span className="text-xs font-normal text-ink-3">required</span> : null}
    </>
  );
}
