import { useSyncExternalStore } from 'react';

/** State outside of React: the connection writes it, and components read the part that they show. */
export class Store<T extends object> {
  private readonly listeners = new Set<() => void>();

  constructor(private state: T) {}

  readonly get = (): T => this.state;

  /** Does not call the listeners if nothing changes. */
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

/** `select` must return the same object while nothing that it reads has changed. */
export function useStore<T extends object, S>(store: Store<T>, select: (state: T) => S): S {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
