import type { ReactNode } from "react";
import { Button } from "../../elements/button.tsx";
import type { Field } from "./form-context.ts";

type ValueActionsProps = {
  field: Field;
  isRequired: boolean;
  isNullable: boolean;
  /** The value that is there and holds nothing: an empty text, an empty list. */
  empty?: { value: unknown; offer: string };
  tools?: ReactNode;
  /** What a value begins with when there was none. */
  begin?: () => unknown;
};

/** Left out, null and empty are three things to a tool. What a control cannot tell apart is told, and chosen, beside its name. */
export function ValueActions({ field, isRequired, isNullable, empty, begin, tools }: ValueActionsProps) {
  const { value, set, isTouched } = field;
  const isEmpty = empty !== undefined && JSON.stringify(value) === JSON.stringify(empty.value);
  return (
    <span className="ml-auto flex flex-none items-center gap-1 empty:hidden">
      {isEmpty && !isRequired ? (
        <>
          <span className="text-xs font-normal text-ink-3">sent empty</span>
          <Quiet onClick={() => set(undefined)}>Leave out</Quiet>
        </>
      ) : null}
      {empty !== undefined && value === undefined && isTouched ? <Quiet onClick={() => set(empty.value)}>{empty.offer}</Quiet> : null}
      {isNullable && value !== null ? <Quiet onClick={() => set(null)}>Set to null</Quiet> : null}
      {value === null ? <Quiet onClick={() => set(begin?.())}>Give a value</Quiet> : null}
      {begin !== undefined && !isRequired && value !== undefined && value !== null && !isEmpty ? (
        <Quiet onClick={() => set(undefined)}>Leave out</Quiet>
      ) : null}
      {tools}
    </span>
  );
}

const Quiet = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <Button size="sm" variant="ghost" className="-my-1 h-6 px-1.5" onClick={onClick}>
    {children}
  </Button>
);

/** In place of a control whose part of the input is null. */
export const NullNote = () => (
  <p className="text-xs text-ink-3">
    <code>null</code> is sent.
  </p>
);
