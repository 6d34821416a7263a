"use client";

import { useEffect, useState } from "react";
import type { StatusName } from "../elements/status.tsx";
import { Toast } from "../elements/toast.tsx";

export type Said = { id: number; sentence: string; status: StatusName };

const shownMs = 6000;

/** Where sentences about what just happened appear. One stays while it is pointed at or has focus. */
export function ToastRegion({ said, onDone }: { said: Said | null; onDone: () => void }) {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (said === null || isHeld) return;
    const timer = setTimeout(onDone, shownMs);
    return () => clearTimeout(timer);
  }, [said, isHeld, onDone]);
  return (
    <div
      role="status"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      className="fixed right-4 bottom-4 z-10 max-rail:bottom-[calc(var(--tabs-h)+12px)] max-rail:left-4"
    >
      {said === null ? null : (
        <Toast key={said.id} status={said.status}>
          {said.sentence}
        </Toast>
      )}
    </div>
  );
}
