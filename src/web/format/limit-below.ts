/** A refusal because of money names all ways to raise the limit. Where the form stands right below, that is the one to take. */
export const limitBelow = (refusal: string): string =>
  refusal.replace(/ in the (?:session's )?settings,? or with `guild-hall [^`]+`,?/, " below");
