/** "812 bytes", "9.4 kB", "2.1 MB", "4.2 GB". */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < 1_000_000) return `${figure(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${figure(bytes / 1_000_000)} MB`;
  return `${figure(bytes / 1_000_000_000)} GB`;
}

const figure = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
