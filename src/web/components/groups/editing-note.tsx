import { Button } from "../elements/button.tsx";

/** What editing a message means here: nothing that was said is taken back. */
export const EditingNote = ({ onCancel }: { onCancel: () => void }) => (
  <p className="mx-auto mb-1 flex max-w-[780px] items-center gap-2 pl-3 text-xs text-ink-2">
    <span className="min-w-0 flex-1">This is sent as a new message. The first one and its answer stay in the conversation.</span>
    <Button size="sm" variant="ghost" onClick={onCancel}>
      Leave it
    </Button>
  </p>
);
