/** The TypeScript types of statement parameters, by Postgres type. */
export type SqlText = string | null;
/** ISO 8601, or Postgres's `infinity`, as text. */
export type SqlTime = Date | string | null;
export type SqlNumber = number | null;
/** numeric is exact: pass it as text if it must not become a binary fraction. */
export type SqlDecimal = string | number | null;
export type SqlBoolean = boolean | null;
export type SqlBytes = Buffer | null;
/** json and jsonb as `JSON.stringify` writes them. An array passed directly would become a Postgres array. */
export type SqlJson = string | null;
export type SqlArray<T> = readonly T[] | null;
