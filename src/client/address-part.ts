/** A name that others chose, as one part of an address. `encodeURIComponent` alone throws for half of a surrogate pair. */
export const addressPart = (name: string): string => encodeURIComponent(name.toWellFormed());
