/** Arrows move focus among the rows of all groups; up from the first it goes to the filter, from where down leads back. */
export function moveAmongJobs(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("a[data-job]")];
  const at = rows.findIndex((row) => row === document.activeElement);
  if (at === -1) return;
  event.preventDefault();
  const next = at + step < 0 ? document.querySelector<HTMLElement>("main input[type=search]") : rows[at + step];
  next?.focus();
}
