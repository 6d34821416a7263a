/**
 * Carries a mark that differs wherever sessions have changed in between. A page is drawn with the one of the moment in which it
 * was asked for, and the hall-wide stream begins with the one of its own beginning: where they are the same, the page missed nothing.
 */
export const changesHeader = "guild-hall-changes";
