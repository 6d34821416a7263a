/** "812 bytes", "9.4 kB", "2.1 MB". */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < 1_000_000) return `${figure(bytes / 1000)} kB`;
  return `${figure(bytes / 1_000_000)} MB`;
}

const figure = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
