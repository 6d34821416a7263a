"use client";

import { Dialog } from "../elements/dialog.tsx";
import { Kbd } from "../elements/kbd.tsx";
import { keyMap } from "./key-map.ts";
import { useShell } from "./shell-context.ts";

export function KeysDialog({ isOpen }: { isOpen: boolean }) {
  const { close } = useShell();
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={close}>
      <div className="px-5 pt-3 pb-5">
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
          {keyMap.map(({ keys, does }) => (
            <div key={does} className="contents">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 text-xs text-ink-3">
          Single letters act when no text field has focus. They can be turned off in Settings. On a Mac, Ctrl is Command.
        </p>
      </div>
    </Dialog>
  );
}
