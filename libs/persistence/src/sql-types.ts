/** What a parameter of a Postgres type may be. */
export type SqlText = string | null;
/** ISO 8601, or Postgres's own `infinity`, as text. */
export type SqlTime = Date | string | null;
export type SqlNumber = number | null;
/** numeric, exact: as text where it must not become a binary fraction. */
export type SqlDecimal = string | number | null;
export type SqlBoolean = boolean | null;
export type SqlBytes = Buffer | null;
/** json and jsonb as `JSON.stringify` writes them: an array given as such would become one of Postgres's. */
export type SqlJson = string | null;
export type SqlArray<T> = readonly T[] | null;
