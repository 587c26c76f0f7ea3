/** A value outside React. `get` and `subscribe` are the arguments of `useSyncExternalStore`. */
export interface Store<Value> {
  readonly get: () => Value;
  readonly set: (next: Value) => void;
  /** Calls `listener` after each `set`. Returns a function that removes it. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** `start` is called for the first listener. The function that it returns is called after the last one is removed. */
export function createStore<Value>(initial: Value, start?: () => () => void): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  let stop: (() => void) | undefined;
  return {
    get: () => value,
    set: next => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: listener => {
      listeners.add(listener);
      if (listeners.size === 1) stop = start?.();
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop?.();
      };
    },
  };
}
