import { Store } from './store.js';

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
