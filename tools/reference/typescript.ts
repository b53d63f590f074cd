import type { Schema } from '../contracts/schema-changes.ts';

/** In characters. A type that fits next to its field's name within this width is written on one line. */
const WIDTH = 120;

/** @param named schemas that a $ref may refer to; their names are types @returns the TypeScript type of the values that the schema allows */
export function typeOf(schema: Schema | undefined, named: Record<string, Schema>, indent = ''): string {
  if (schema === undefined) return 'unknown';
  const inner = (it: Schema) => typeOf(it, named, indent);
  if (schema.$ref) return nameOf(schema.$ref, named);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  // Next to properties, anyOf, oneOf and allOf only say which of them are required. TypeScript has no short notation for this.
  const { anyOf, oneOf, allOf } = schema.properties ? ({} as Schema) : schema;
  const either = anyOf ?? oneOf;
  if (either) return union(either.map(inner));
  if (allOf) return allOf.map((it) => inParentheses(inner(it))).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => inner({ ...schema, type })));
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `${inParentheses(inner(schema.items ?? {}))}[]`;
    case 'object':
      return objectOf(schema, named, indent);
    default:
      return 'unknown';
  }
}

function objectOf({ properties, required = [], additionalProperties }: Schema, named: Record<string, Schema>, indent: string) {
  if (!properties)
    return `Record<string, ${typeOf(typeof additionalProperties === 'object' ? additionalProperties : undefined, named, indent)}>`;
  const fields = Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }));
  const written = (deeper: string) => fields.map(({ name, isRequired, schema }) => field(name, isRequired, typeOf(schema, named, deeper)));
  return bracketed(written, indent);
}

export function bracketed(fields: (indent: string) => string[], indent: string) {
  const short = `{ ${fields('').join('; ')} }`;
  if (!short.includes('\n') && indent.length + short.length <= WIDTH) return short;
  const deeper = `${indent}  `;
  return `{\n${fields(deeper)
    .map((it) => `${deeper}${it};\n`)
    .join('')}${indent}}`;
}

export const field = (name: string, isRequired: boolean, type: string) =>
  `${/^[A-Za-z_]\w*$/.test(name) ? name : literal(name)}${isRequired ? '' : '?'}: ${type}`;

export const literal = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value));

const union = (types: string[]) => [...new Set(types)].join(' | ');

const inParentheses = (type: string) => (/^[^{]* [|&] /.test(type) || /\} [|&] /.test(type) ? `(${type})` : type);

function nameOf(ref: string, named: Record<string, Schema>): string {
  const name = ref.split('/').at(-1) ?? '';
  if (!named[name]) throw new Error(`nothing is known of ${ref}`);
  return name;
}
