import { defineTool, failure } from "../tool.ts";
import { encodeWav, samplesPerSecond } from "../wav.ts";

type Note = { note: string; beats?: number };
type Input = { melody: Note[]; tempo: number; wave: keyof typeof waves; volume: number };

/** Longer ones would only be larger. */
const maxSeconds = 20;

/** One swing, for a phase from 0 to 1. */
const waves = {
  sine: (phase: number) => Math.sin(2 * Math.PI * phase),
  square: (phase: number) => (phase < 0.5 ? 1 : -1),
  triangle: (phase: number) => 1 - 4 * Math.abs(phase - 0.5),
};

export const playMelody = defineTool<Input>(
  {
    name: "play_melody",
    title: "Play a melody",
    description: `Plays notes one after the other and answers with the sound, at most ${maxSeconds} seconds of it.`,
    inputSchema: {
      type: "object",
      properties: {
        melody: {
          type: "array",
          title: "Melody",
          items: {
            type: "object",
            title: "Note",
            properties: {
              note: { type: "string", title: "Note", pattern: "^([A-G][#b]?[1-7]|-)$", description: "A4, C#5, Bb3; - for a rest" },
              beats: { type: "number", title: "Beats", minimum: 0.25, maximum: 8, multipleOf: 0.25, default: 1 },
            },
            required: ["note"],
            additionalProperties: false,
          },
          minItems: 1,
          maxItems: 64,
          default: [{ note: "C4" }, { note: "E4" }, { note: "G4" }, { note: "C5", beats: 2 }],
        },
        tempo: { type: "integer", title: "Beats per minute", minimum: 40, maximum: 240, default: 120 },
        wave: { type: "string", title: "Sound", enum: Object.keys(waves), default: "sine" },
        volume: { type: "number", title: "Volume", minimum: 0, maximum: 1, default: 0.5 },
      },
      additionalProperties: false,
    },
  },
  ({ melody, tempo, wave, volume }) => {
    const seconds = melody.map(({ beats = 1 }) => (beats * 60) / tempo);
    const total = seconds.reduce((sum, each) => sum + each, 0);
    if (total > maxSeconds) return failure(`This melody takes ${total.toFixed(1)} s. Shorten it to ${maxSeconds} s.`);
    const samples = melody.flatMap(({ note }, at) => playNote(frequencyOf(note), seconds[at] ?? 0, waves[wave], volume));
    return {
      content: [
        { type: "audio", data: encodeWav(Float32Array.from(samples)).toString("base64"), mimeType: "audio/wav" },
        { type: "text", text: `${melody.length} notes in ${total.toFixed(1)} s.` },
      ],
    };
  },
);

const halfTones: Record<string, number> = { C: -9, D: -7, E: -5, F: -4, G: -2, A: 0, B: 2 };

/** Equal temperament, A4 = 440 Hz. Zero for a rest. */
function frequencyOf(note: string): number {
  const [, letter = "", sign = "", octave = ""] = /^([A-G])([#b]?)([1-7])$/.exec(note) ?? [];
  const step = halfTones[letter];
  if (step === undefined) return 0;
  const shift = sign === "#" ? 1 : sign === "b" ? -1 : 0;
  return 440 * 2 ** ((step + shift) / 12 + Number(octave) - 4);
}

/** Faded in and out within a hundredth of a second, because a jump is heard as a click. */
function playNote(frequency: number, seconds: number, wave: (phase: number) => number, volume: number): number[] {
  const length = Math.round(seconds * samplesPerSecond);
  const fade = samplesPerSecond / 100;
  return Array.from({ length }, (_, at) => {
    if (frequency === 0) return 0;
    const loudness = Math.min(1, at / fade, (length - at) / fade) * volume;
    return loudness * wave(((at * frequency) / samplesPerSecond) % 1);
  });
}
