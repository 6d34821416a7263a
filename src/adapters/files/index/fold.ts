/** Text as it is searched: letters that differ only in case, width or how they are composed are the same, and a blank is one space. */
export const fold = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();

/** The words of a search; all of them must be found, in any order. */
export const wordsOf = (search: string): string[] =>
  fold(search)
    .split(" ")
    .filter((word) => word !== "");
