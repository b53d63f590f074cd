interface Type {
  /** TypeScript type of a column, as pg returns it (libs/persistence/src/driver.ts: int8 as a number). */
  output: string;
  /** Type of a parameter, as libs/persistence/src/statements.ts names it. */
  input: string;
}

const text: Type = { output: 'string', input: 'SqlText' };
const number: Type = { output: 'number', input: 'SqlNumber' };
const time: Type = { output: 'Date', input: 'SqlTime' };
const json: Type = { output: 'unknown', input: 'SqlJson' };

const TYPES: Record<string, Type> = {
  bool: { output: 'boolean', input: 'SqlBoolean' },
  bytea: { output: 'Buffer', input: 'SqlBytes' },
  char: text,
  bpchar: text,
  float4: number,
  float8: number,
  inet: text,
  int2: number,
  int4: number,
  int8: number,
  interval: { output: 'never', input: 'SqlText' },
  json,
  jsonb: json,
  name: text,
  numeric: { output: 'string', input: 'SqlDecimal' },
  text,
  timestamptz: time,
  uuid: text,
  varchar: text,
  void: { output: 'undefined', input: 'never' },
};

/** @param name as in Postgres, with a leading `_` for an array */
export function typeOf(name: string): Type {
  const type = TYPES[name.replace(/^_/, '')];
  if (!type) throw new Error(`tools/sql/types.ts knows no type ${name}`);
  if (!name.startsWith('_')) return type;
  // pg returns the elements of int8[] as strings.
  return { output: `${name === '_int8' ? 'string' : type.output}[]`, input: `SqlArray<${type.input}>` };
}
