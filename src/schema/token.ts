/** The most characters of `GUILD_HALL_TOKEN`. Both the start and the login form refuse more. */
export const longestToken = 1024;
