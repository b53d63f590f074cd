import type { SqlJson } from './sql-types.js';

/** Undefined becomes NULL in SQL. */
type Value<T> = undefined extends T ? Exclude<T, undefined> | null : T;
type Arrays<T, Keys extends readonly (keyof T)[]> = { -readonly [Index in keyof Keys]: Value<T[Keys[Index] & keyof T]>[] };

/** One array per property, for `unnest`: the arrays in the order of `keys`, the values in the order of `rows`. */
export const arraysOf = <T, const Keys extends readonly (keyof T)[]>(rows: readonly T[], ...keys: Keys) =>
  keys.map((key) => rows.map((row) => row[key] ?? null)) as unknown as Arrays<T, Keys>;

/** As `arraysOf`, for a statement with named parameters: each array under the name of its property. */
export const namedArraysOf = <T, const Key extends keyof T>(rows: readonly T[], ...keys: Key[]) =>
  Object.fromEntries(keys.map((key) => [key, rows.map((row) => row[key] ?? null)])) as { [Name in Key]-?: Value<T[Name]>[] };

/** Properties of a row as json parameters: their text, or null. */
export const jsonOf = <T, const Key extends keyof T>(row: T, ...keys: Key[]) =>
  Object.fromEntries(keys.map((key) => [key, row[key] == null ? null : JSON.stringify(row[key])])) as Record<Key, SqlJson>;
