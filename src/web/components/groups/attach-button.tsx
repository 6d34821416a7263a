"use client";

import { Paperclip } from "lucide-react";
import { useRef } from "react";
import type { Attaching } from "../../live/use-attach.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { usePageCommands } from "./use-page-commands.ts";

/** Chooses files for the session. They can be dropped or pasted as well; see `useFileDrop`. */
export function AttachButton({ attaching }: { attaching: Attaching }) {
  const chooser = useRef<HTMLInputElement>(null);
  const choose = () => chooser.current?.click();
  usePageCommands([{ id: "attach", kind: "attach", label: "Attach files", run: choose }]);
  return (
    <>
      <Button
        size="icon"
        aria-label="Attach files"
        title="Attach files, or drop or paste them here"
        icon={<Icon of={Paperclip} />}
        onClick={choose}
      />
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          attaching.add(event.target.files ?? []);
          // The same file can be chosen again.
          event.target.value = "";
        }}
      />
    </>
  );
}
