import { HallError } from "./hall-error.ts";

/** The error for a request that widens what the hall may do and carries neither the person's key nor the hall's token. */
export const personRequired = (): HallError =>
  new HallError(
    "person_required",
    "This needs the person's key. In a browser, open the address that `guild-hall open` prints on the hall's machine; a program sends the line in person.key of the home folder as a bearer token.",
  );
