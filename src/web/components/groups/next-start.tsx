"use client";

import { useEffect, useState } from "react";

/** When a member that crashed is started again. */
export function NextStart({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((Date.parse(at) - now) / 1000));
  return <span suppressHydrationWarning>{seconds === 0 ? "It is being started again." : `It is started again in ${seconds} s.`}</span>;
}
