/** Where the server leaves its fetch handler for the web app in the same process. Bundlers evaluate modules more than once; a registered symbol is one. */
export const hallFetchKey = Symbol.for("guild-hall.fetch");
