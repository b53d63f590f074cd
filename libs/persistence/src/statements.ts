import { createHash } from 'node:crypto';

/** Parameters and row of one statement, as Postgres describes them. */
export interface StatementTypes {
  parameters: unknown[];
  row: object;
}

/** A statement with its types. `row` and `parameters` exist for the compiler alone. */
export interface Statement<Types extends StatementTypes = StatementTypes> {
  readonly name: string;
  readonly text: string;
  /** False: Postgres plans it for the parameters of each call. */
  readonly isPrepared: boolean;
  readonly types?: Types;
}

/** The row that a statement returns. */
export type RowOf<S extends Statement> = NonNullable<S['types']>['row'];

/** A statement as it was written: `"name!"` and `"name?"` say of a column that it is never, or may be, null. */
export interface DeclaredStatement {
  schema: string;
  name: string;
  text: string;
}

const declared = new Map<string, DeclaredStatement>();

/** Every statement of the modules loaded so far: what `npm run sql` describes. */
export const declaredStatements = (): DeclaredStatement[] => [...declared.values()];

type Declare<All> = <Name extends keyof All & string>(name: Name, text: string) => Statement<All[Name] & StatementTypes>;

/**
 * Declares the statements of one schema. `All` is written by `npm run sql`, which asks Postgres for the parameters and
 * columns of each, so no row type is asserted by hand. Names are `<file>.<method>` and unique in their schema.
 *
 * `sql(…)` is parsed and planned once a connection. `sql.planned(…)` is planned at each call: for optional filters and
 * whatever else needs another plan with other parameters.
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

/** Two releases may share a connection of a pooler: their statements differ in name where they differ in text. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 8);
