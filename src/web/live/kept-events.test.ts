import { describe, expect, it } from "vitest";
import type { JobEvent } from "../../schema/job.ts";
import { keepNewest } from "./kept-events.ts";

const said = (id: number): JobEvent => ({ id, at: "2026-01-01T00:00:00.000Z", type: "text", text: `Word ${id}` });
const written = (id: number): JobEvent => ({ id, at: "2026-01-01T00:00:00.000Z", type: "artifact", path: `${id}.md`, size: 1 });

describe("what a page keeps of a job", () => {
  it("is all of it where that is not too much", () => {
    expect(keepNewest({ events: [said(1)], dropped: 0 }, [said(2)], 2)).toEqual({ events: [said(1), said(2)], dropped: 0 });
  });

  it("is all of the timeline and the newest of what was said, and it counts what it lets go", () => {
    const kept = keepNewest({ events: [said(1), written(2), said(3)], dropped: 4 }, [said(5), said(6)], 2);

    expect(kept).toEqual({ events: [written(2), said(5), said(6)], dropped: 6 });
  });
});
