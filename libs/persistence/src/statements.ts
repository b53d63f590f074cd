import { createHash } from 'node:crypto';

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

/** Parameters and row type of one statement, as Postgres describes them. `parameters`: an array for `$1`, `$2`, …, an object for `:name`. */
export interface StatementTypes {
  parameters: object;
  row: object;
}

/** What follows the statement in a call: the values of `$1`, `$2`, …, or one object with the values of all names. */
export type ParametersOf<Types extends StatementTypes> = Types['parameters'] extends readonly unknown[]
  ? Types['parameters']
  : [parameters: Types['parameters']];

/** A statement with its types. `row` and `parameters` exist only for the compiler. */
export interface Statement<Types extends StatementTypes = StatementTypes> {
  readonly name: string;
  /** With parameters as `$1`, `$2`, … */
  readonly text: string;
  /** Names of the parameters, in the order of their numbers; undefined: the call passes values in this order. */
  readonly names: readonly string[] | undefined;
  /** False: Postgres plans it on every call, for that call's parameters. */
  readonly isPrepared: boolean;
  readonly types?: Types;
}

/** The row type that a statement returns. */
export type RowOf<S extends Statement> = NonNullable<S['types']>['row'];

/** A statement as written in the source: `"name!"` marks a column as never null, `"name?"` as possibly null. */
export interface DeclaredStatement {
  schema: string;
  name: string;
  /** With parameters as `$1`, `$2`, … */
  text: string;
  /** Names of the parameters, in the order of their numbers; undefined: they have none. */
  names: readonly string[] | undefined;
}

const declared = new Map<string, DeclaredStatement>();

/** Every statement of the modules loaded so far, as input for `npm run generate -- sql`. */
export const declaredStatements = (): DeclaredStatement[] => [...declared.values()];

type Declare<All extends Record<keyof All, StatementTypes>> = <Name extends keyof All & string>(
  name: Name,
  text: string,
) => Statement<All[Name]>;

/**
 * Declares the statements of one schema. `npm run generate -- sql` generates `All`: it asks Postgres for the parameters and columns of each
 * statement, so that no row type is written by hand. Names are `<file>.<method>` and unique in their schema.
 *
 * Parameters are `:name`, passed as one object, or, up to six, `$1`, `$2`, … in the order of the call.
 *
 * `sql(…)` is parsed and planned once per connection. `sql.planned(…)` is planned on every call: for optional filters and other
 * statements that need a different plan for different parameters.
 */
export function statements<All extends Record<keyof All, StatementTypes>>(schema: string): Declare<All> & { planned: Declare<All> } {
  const declare = (name: string, written: string, isPrepared: boolean): Statement => {
    const { text, names } = numbered(name, written);
    const known = declared.get(`${schema}:${name}`);
    if (known && known.text !== text) throw new Error(`two statements of ${schema} are called ${name}`);
    declared.set(`${schema}:${name}`, { schema, name, text, names });
    const plain = text.replaceAll(/"(\w+)[!?]"/g, '"$1"');
    return { name: `${name}:${hash(plain)}`, text: plain, names, isPrepared };
  };
  const prepared = (name: string, text: string) => declare(name, text, true);
  return Object.assign(prepared, { planned: (name: string, text: string) => declare(name, text, false) }) as Declare<All> & {
    planned: Declare<All>;
  };
}

/** Two releases may share a connection of a pooler, so statements with different texts must have different names. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 8);

function numbered(name: string, text: string) {
  try {
    return numberParameters(text);
  } catch (error) {
    throw new Error(`the statement ${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** A statement as pg takes it, with the values that a call passes. */
export function queryOf<Types extends StatementTypes>(
  { name, text, names, isPrepared }: Statement<Types>,
  parameters: ParametersOf<Types>,
): { name?: string; text: string; values: unknown[] } {
  const values = names ? valuesByName(name, names, parameters[0] as Record<string, unknown>) : (parameters as unknown[]);
  return isPrepared ? { name, text, values } : { text, values };
}

const valuesByName = (statement: string, names: readonly string[], parameters: Record<string, unknown>) =>
  names.map((name) => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`the statement ${statement} has no value for :${name}`);
    return value;
  });

/** Comments, strings, quoted names and casts, in which a colon begins no parameter; `:name`; `$1`. After a value, a colon is that of a slice. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[eE]'(?:[^'\\]|\\[\s\S])*'?|'[^']*'?|"[^"]*"?|\$\$[\s\S]*?(?:\$\$|$)|::|(?<![\w)\]]):([a-zA-Z]\w*)|\$\d+/g;

/**
 * Replaces each `:name` by `$1`, `$2`, …, the same name by the same number.
 * @returns the text, and the names in the order of their numbers; undefined if it has none
 */
function numberParameters(named: string): { text: string; names: readonly string[] | undefined } {
  const names: string[] = [];
  let positional: string | undefined;
  const text = named.replaceAll(TOKEN, (token: string, name?: string) => {
    if (/^\$\d/.test(token)) positional = token;
    if (name === undefined) return token;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  if (names.length === 0) return { text, names: undefined };
  if (positional) throw new Error(`parameters are named, such as :${names[0]}, or numbered, such as ${positional}, but not both`);
  return { text, names };
}

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
