/** An empty value takes a variable away, so that a backend can do without one. */
export const withoutEmpty = (variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
