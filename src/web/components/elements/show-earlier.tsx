import { Button } from "./button.tsx";

/** Leads to what is not drawn yet, because nobody reads all of it at once. */
export function ShowEarlier({ left, onShow }: { left: number; onShow: () => void }) {
  if (left <= 0) return null;
  return (
    <p className="mb-3 text-center">
      <Button size="sm" onClick={onShow}>
        Show earlier <span className="font-normal text-ink-3 tabular-nums">{left}</span>
      </Button>
    </p>
  );
}
