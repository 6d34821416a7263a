/** Arrows move focus among cards in rows; up from the first row it goes to the search, from where down leads back. */
export function moveAmongCards(event: KeyboardEvent, columns: number): void {
  const step = steps(columns)[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>("li > a")];
  const at = cards.findIndex((card) => card === document.activeElement);
  if (at === -1) return;
  event.preventDefault();
  const next = cards[at + step] ?? beyond({ cards, at, step, columns });
  next?.focus();
}

const steps = (columns: number): Partial<Record<string, number>> => ({
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -columns,
  ArrowDown: columns,
});

function beyond({
  cards,
  at,
  step,
  columns,
}: {
  cards: HTMLElement[];
  at: number;
  step: number;
  columns: number;
}): HTMLElement | null | undefined {
  if (at + step < 0) return document.querySelector<HTMLElement>("main section input[type=search]");
  // The last row may be shorter.
  const isInLastRow = Math.floor(at / columns) === Math.floor((cards.length - 1) / columns);
  return isInLastRow ? undefined : cards.at(-1);
}
