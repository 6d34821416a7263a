/** Calls back whenever the hall answered any request of this page, until what it returns is called. */
export function onAnswer(callback: () => void): () => void {
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isAnswer)) callback();
  });
  observer.observe({ type: "resource" });
  return () => observer.disconnect();
}

/** Streams are what is tried: one that ends at once is no reason to try again at once. */
const isAnswer = (entry: PerformanceEntry): boolean =>
  entry instanceof PerformanceResourceTiming &&
  entry.responseStatus >= 200 &&
  entry.responseStatus < 400 &&
  entry.name.startsWith(`${location.origin}/`) &&
  !new URL(entry.name).pathname.endsWith("/events");
