import { addressPart } from "../../client/address-part.ts";

/** Where a member's page is, or the form of one of its tools. */
export function memberHref(member: string, tool?: string): string {
  const page = `/roster/${addressPart(member)}`;
  return tool === undefined || !fitsAddress(tool) ? page : `${page}/${addressPart(tool)}`;
}

/** The hall refuses addresses with dots for a step, backslashes or control characters, however they are written. */
const fitsAddress = (name: string): boolean =>
  name !== "" && name !== "." && name !== ".." && name.isWellFormed() && !/[\u0000-\u001f\u007f\\]/.test(name);
