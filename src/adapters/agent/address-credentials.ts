export type AddressCredentials = {
  /** The value of an `Authorization` header that says the same. */
  authorization: string;
  /** The password, or a user name without one, in each form in which an error or an answer may repeat it. */
  secrets: string[];
};

/** What `http://user:password@host` holds beside the address; null if there is nothing. */
export function credentialsOfAddress(address: string): AddressCredentials | null {
  const url = URL.parse(address.trim());
  if (url === null || `${url.username}${url.password}` === "") return null;
  const pair = Buffer.from(`${decoded(url.username)}:${decoded(url.password)}`).toString("base64");
  const secret = url.password === "" ? url.username : url.password;
  return { authorization: `Basic ${pair}`, secrets: [...new Set([secret, decoded(secret), pair])] };
}

/** Says separately what an address holds: `fetch` takes none with credentials, and repeats it in its refusal. */
export function splitAddress(address: string): { address: string; headers: Record<string, string> } {
  const credentials = credentialsOfAddress(address);
  if (credentials === null) return { address, headers: {} };
  const url = new URL(address.trim());
  url.username = "";
  url.password = "";
  return { address: url.href, headers: { authorization: credentials.authorization } };
}

/** As it is if its percent signs are no encoding of UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
