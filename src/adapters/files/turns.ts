/** Work under one key happens in the order it was asked for; one that fails does not hold up the next. */
export function createTurns<Key>() {
  const last = new Map<Key, Promise<unknown>>();
  return <Result>(key: Key, work: () => Promise<Result>): Promise<Result> => {
    const done = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, done);
    const forget = () => last.get(key) === done && last.delete(key);
    done.then(forget, forget);
    return done;
  };
}
