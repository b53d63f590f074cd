import { useSyncExternalStore } from 'react';

/** State outside of React: the connection writes it, components read the part they show. */
export class Store<T extends object> {
  private readonly listeners = new Set<() => void>();

  constructor(private state: T) {}

  readonly get = (): T => this.state;

  /** Nobody hears of a change that changes nothing. */
  set(change: Partial<T>): void {
    const isNew = (Object.keys(change) as (keyof T)[]).some((key) => !Object.is(change[key], this.state[key]));
    if (!isNew) return;
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

/** `select` answers the same object as long as nothing it reads has changed. */
export function useStore<T extends object, S>(store: Store<T>, select: (state: T) => S): S {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
