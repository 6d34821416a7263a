import { useEffect } from "react";

/** Puts a word before the page's title, for whoever has many tabs. The title itself stays the framework's, which may write it anew. */
export function useTitleMark(word: string | null): void {
  useEffect(() => {
    if (word === null) return;
    const mark = `${word}: `;
    const put = () => {
      if (!document.title.startsWith(mark)) document.title = `${mark}${document.title}`;
    };
    const watch = new MutationObserver(put);
    put();
    watch.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      watch.disconnect();
      if (document.title.startsWith(mark)) document.title = document.title.slice(mark.length);
    };
  }, [word]);
}
