"use client";

import { X } from "lucide-react";
import { useId, useLayoutEffect, useRef } from "react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

type DialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  /** No heading is drawn where the content names itself. */
  bare?: boolean;
  className?: string;
};

/**
 * A native modal dialog: the browser keeps focus inside, closes it on Escape and gives focus back to what opened it.
 * What carries `data-first-focus` has focus first.
 */
export function Dialog({ title, isOpen, onClose, children, footer, bare = false, className = "" }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // With what it shows: a closing that is reported in between would be taken for one of this opening.
  useLayoutEffect(() => {
    if (isOpen && element.current?.open === false) {
      element.current.showModal();
      element.current.querySelector<HTMLElement>("[data-first-focus]")?.focus();
    }
    if (!isOpen && element.current?.open === true) element.current.close();
  }, [isOpen]);
  return (
    <dialog
      ref={element}
      // The browser reports every closing a moment later: one that came from here is no news, nor is one before it was opened again.
      onClose={() => isOpen && element.current?.open === false && onClose()}
      // A click beside it closes it, as Escape does.
      closedby="any"
      {...(bare ? { "aria-label": title } : { "aria-labelledby": titleId })}
      className={`m-auto max-h-[calc(100dvh-24px)] w-[min(600px,calc(100vw-24px))] overflow-auto rounded-4 border border-line-strong bg-raised text-ink shadow-3 [--glyph:var(--raised)] ${className}`}
    >
      {bare || !isOpen ? null : (
        <div className="flex items-center px-5 pt-4">
          <h2 id={titleId} className="text-xl">
            {title}
          </h2>
          <Button size="icon" className="ml-auto" aria-label="Close" icon={<Icon of={X} />} onClick={onClose} />
        </div>
      )}
      {isOpen ? children : null}
      {isOpen && footer !== undefined ? <DialogFooter>{footer}</DialogFooter> : null}
    </dialog>
  );
}

/** Stays in sight however long the dialog is. Content that changes its actions as it goes brings its own. */
export const DialogFooter = ({ children }: { children: ReactNode }) => (
  <div className="sticky bottom-0 flex items-center gap-2 rounded-b-4 border-t border-line bg-paper px-5 py-3">{children}</div>
);
