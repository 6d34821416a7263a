import { ArtifactPath } from "../../schema/artifact.ts";

/** A name under which a session takes a file, as near to its own as can be. */
export function artifactNameOf(name: string): string {
  const plain = name.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f\\/\u202a-\u202e\u2066-\u2069]/g, "-");
  const [, stem = plain, extension = ""] = /^(.*?)(\.[^.]{1,20})?$/.exec(plain) ?? [];
  const short = `${cut(stem, 200)}${extension}`;
  return ArtifactPath.safeParse(short).success ? short : "file";
}

/** By bytes, which is how file systems count. Decoded as a stream, so that a character cut in two is left out. */
const cut = (text: string, most: number): string =>
  new TextDecoder().decode(new TextEncoder().encode(text).slice(0, most), { stream: true });

/** The message with word of a file, in a way the agent can make use of: its path from where it works. */
export function withAttached(text: string, path: string): string {
  const quote = path.includes("`") ? '"' : "`";
  const words = `Attached file: ${quote}${path}${quote}`;
  return text.trim() === "" ? `${words}\n` : `${text.trimEnd()}\n${words}\n`;
}
