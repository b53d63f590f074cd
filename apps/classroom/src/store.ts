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

/** A store whose state is kept in this browser, if it allows that, under `key`. */
export function createStoredStore<T extends object>(key: string, initial: T): Store<T> {
  const store = new Store({ ...initial, ...load<T>(key) });
  store.subscribe(() => {
    try {
      localStorage.setItem(key, JSON.stringify(store.get()));
    } catch {}
  });
  return store;
}

function load<T>(key: string): Partial<T> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<T>;
  } catch {
    return {};
  }
}

export class Listeners<A extends unknown[] = []> {
  private readonly all = new Set<(...args: A) => void>();

  /** Adds a listener. @returns a function that removes it */
  readonly add = (listener: (...args: A) => void): (() => void) => {
    const own = (...args: A) => listener(...args);
    this.all.add(own);
    return () => void this.all.delete(own);
  };

  notify(...args: A): void {
    for (const listener of this.all) listener(...args);
  }
}
