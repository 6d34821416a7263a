import { Paperclip } from "lucide-react";
import { Icon } from "../elements/icon.tsx";

/** Where files go that are being dragged over the page. It must not be met by the pointer, or dragging over it would be leaving the page. */
export const DropTarget = () => (
  <div className="pointer-events-none absolute inset-2 z-2 grid place-items-center rounded-3 border-2 border-dashed border-focus bg-paper/85">
    <p className="flex items-center gap-2 rounded-2 bg-surface px-3 py-2 font-medium shadow-2">
      <Icon of={Paperclip} />
      Drop files to attach them
    </p>
  </div>
);
