/** The same object without what is null: many languages write that for what is not there. Deeper than one level it may mean something. */
export const withoutNulls = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
    : value;
