import { createHash } from 'node:crypto';
import { numberParameters } from './named-parameters.js';

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

/** Every statement of the modules loaded so far, as input for `npm run sql`. */
export const declaredStatements = (): DeclaredStatement[] => [...declared.values()];

type Declare<All extends Record<keyof All, StatementTypes>> = <Name extends keyof All & string>(
  name: Name,
  text: string,
) => Statement<All[Name]>;

/**
 * Declares the statements of one schema. `npm run sql` generates `All`: it asks Postgres for the parameters and columns of each
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
