/** Hands a text to the person as a file. Never as something the browser would open here. */
export const downloadText = (text: string, name: string): void => download([text], name);

/** Base64 that is broken makes an empty file rather than a broken page. */
export const downloadBase64 = (data: string, name: string): void => download([bytesOf(data)], name);

/** How many bytes a Base64 text stands for. */
export const base64Size = (data: string): number => Math.max(0, Math.floor((data.replace(/=+$/, "").length * 3) / 4));

function download(parts: BlobPart[], name: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the address by the time the next task runs.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch (failure) {
    if (failure instanceof DOMException) return new Uint8Array();
    throw failure;
  }
}

/** A name for a file from an address that somebody else wrote: letters, digits, points and dashes of its end. */
export function fileNameOf(uri: string, fallback: string): string {
  const last =
    uri
      .split(/[?#]/, 1)[0]
      ?.split("/")
      .findLast((part) => part !== "") ?? "";
  const name = last
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/^\.+/, "")
    .slice(-80);
  return name === "" ? fallback : name;
}

/** `svg` of `image/svg+xml`: what a file of that kind is called, as far as its kind tells. */
export const extensionOf = (mimeType: string): string => /^[\w.-]+\/([\w-]{1,20})/.exec(mimeType)?.[1] ?? "bin";
