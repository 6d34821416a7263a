/** Text that is still arriving, without the word that is not finished. Something is shown at once; an endless word is not waited for. */
export const wholeWords = (text: string): string => text.replace(/(?<=\s)[\p{L}\p{N}]{1,24}$/u, "");
