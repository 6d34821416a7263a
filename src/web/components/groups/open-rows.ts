import { createContext, use, useState } from "react";

/** Which tool rows are open. A conversation keeps it, because a row out of sight is not there to keep it itself. */
export const OpenRowsContext = createContext<Set<string> | null>(null);

export function useOpenRow(id: string): [boolean, (isOpen: boolean) => void] {
  const known = use(OpenRowsContext);
  const [isOpen, setIsOpen] = useState(() => known?.has(id) === true);
  const keep = (next: boolean) => {
    if (next) known?.add(id);
    else known?.delete(id);
    setIsOpen(next);
  };
  return [isOpen, keep];
}
