/** Where the server leaves its fetch handler for the web app in the same process. Bundlers evaluate modules more than once; a registered symbol is one. */
export const hallFetchKey = Symbol.for("guild-hall.fetch");

/** Where the server leaves its function that logs why a page could not be drawn. */
export const pageFailureKey = Symbol.for("guild-hall.page-failure");

export type LogPageFailure = (failure: { error: unknown; path: string }) => void;
