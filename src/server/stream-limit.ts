import { HallError } from "../schema/hall-error.ts";

/** Counts open streams and refuses one too many, so that forgotten pages cannot use up the hall. */
export function createStreamLimit(max: number) {
  let open = 0;
  return {
    /** Takes a place; call what it answers when the stream ends. */
    enter(): () => void {
      if (open >= max) throw new HallError("too_many_streams", `This hall has ${max} streams open and takes no more. Close some pages.`);
      open += 1;
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        open -= 1;
      };
    },
  };
}

export type StreamLimit = ReturnType<typeof createStreamLimit>;
