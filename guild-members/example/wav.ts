export const samplesPerSecond = 11_025;

/** Samples from -1 to 1 as a WAV file: one channel, 16 bits. */
export function encodeWav(samples: Float32Array): Buffer {
  const data = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, at) => data.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), at * 2));
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + data.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16); // what follows up to the data
  header.writeUInt16LE(1, 20); // plain samples
  header.writeUInt16LE(1, 22); // one channel
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(samplesPerSecond * 2, 28); // bytes per second
  header.writeUInt16LE(2, 32); // bytes per sample
  header.writeUInt16LE(16, 34); // bits per sample
  header.write("data", 36, "latin1");
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}
