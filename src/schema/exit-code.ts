/** What a command tells the program that started it. Apart from the codes of errors, so that a command need not load their schemas. */
export const exitCodes = { done: 0, bug: 1, badInput: 2, notFound: 3, conflict: 4, unreachable: 5, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
