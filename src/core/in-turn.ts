/** Does what is asked for one key in the order it was asked for; different keys do not wait for each other. */
export type InTurn<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>;

export function createTurns<Key>(): InTurn<Key> {
  const last = new Map<Key, Promise<unknown>>();
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, done);
    const forget = () => last.get(key) === done && last.delete(key);
    done.then(forget, forget);
    return done;
  };
}
