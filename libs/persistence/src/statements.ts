import { createHash } from 'node:crypto';

/** Parameters and row type of one statement, as Postgres describes them. */
export interface StatementTypes {
  parameters: unknown[];
  row: object;
}

/** A statement with its types. `row` and `parameters` exist only for the compiler. */
export interface Statement<Types extends StatementTypes = StatementTypes> {
  readonly name: string;
  readonly text: string;
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
  text: string;
}

const declared = new Map<string, DeclaredStatement>();

/** Every statement of the modules loaded so far, as input for `npm run sql`. */
export const declaredStatements = (): DeclaredStatement[] => [...declared.values()];

type Declare<All> = <Name extends keyof All & string>(name: Name, text: string) => Statement<All[Name] & StatementTypes>;

/**
 * Declares the statements of one schema. `npm run sql` generates `All`: it asks Postgres for the parameters and columns of each
 * statement, so that no row type is written by hand. Names are `<file>.<method>` and unique in their schema.
 *
 * `sql(…)` is parsed and planned once per connection. `sql.planned(…)` is planned on every call: for optional filters and other
 * statements that need a different plan for different parameters.
 */
export function statements<All>(schema: string): Declare<All> & { planned: Declare<All> } {
  const declare = (name: string, text: string, isPrepared: boolean): Statement => {
    const known = declared.get(`${schema}:${name}`);
    if (known && known.text !== text) throw new Error(`two statements of ${schema} are called ${name}`);
    declared.set(`${schema}:${name}`, { schema, name, text });
    const plain = text.replaceAll(/"(\w+)[!?]"/g, '"$1"');
    return { name: `${name}:${hash(plain)}`, text: plain, isPrepared };
  };
  const prepared = (name: string, text: string) => declare(name, text, true);
  return Object.assign(prepared, { planned: (name: string, text: string) => declare(name, text, false) }) as Declare<All> & {
    planned: Declare<All>;
  };
}

/** Two releases may share a connection of a pooler, so statements with different texts must have different names. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 8);
