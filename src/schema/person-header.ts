/** Says, for a page that is drawn, whether its browser has the person's cookie: `true` or `false`. What a client sends under this name is overwritten. */
export const personHeader = "guild-hall-person";
