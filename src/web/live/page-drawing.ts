/**
 * Next takes a page whose address changes while it is drawn again for another page. Once it asks for that one; when the address
 * changes under that too, it loads the page whole, and what was typed on it is gone. So an address waits until the page is drawn.
 */
let isDrawing = false;
const waiting = new Set<() => void>();

export function setDrawing(drawing: boolean): void {
  isDrawing = drawing;
  if (drawing) return;
  const all = [...waiting];
  waiting.clear();
  for (const change of all) change();
}

/** Puts an address in the place of the page's own, without leaving the page. Answers how to take that back while it waits. */
export function changeAddress(address: string, onChanged: () => void = () => undefined): () => void {
  const change = () => {
    // Without Next's own state, so that Next hears of it and does not write its address back later.
    history.replaceState(null, "", address);
    onChanged();
  };
  if (!isDrawing) change();
  else waiting.add(change);
  return () => void waiting.delete(change);
}
