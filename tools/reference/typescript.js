'use strict';

/** A type that fits on a line beside its field's name stays on it. */
const WIDTH = 120;

/** @typedef {Record<string, any>} Schema JSON Schema 2020-12, as the contracts' are */

/** @param {Schema | undefined} schema @param {Record<string, Schema>} named what a $ref may lead to @param {string} [indent] @returns {string} the TypeScript type of what the schema allows */
function typeOf(schema, named, indent = '') {
  if (schema === undefined) return 'unknown';
  const inner = (/** @type {Schema} */ it) => typeOf(it, named, indent);
  if (schema.$ref) return inner(named[schema.$ref.split('/').at(-1)] ?? unknownRef(schema.$ref));
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  // Beside properties it says which of them must be there, which TypeScript can not tell briefly.
  const { anyOf, oneOf, allOf } = schema.properties ? /** @type {Schema} */ ({}) : schema;
  const either = anyOf ?? oneOf;
  if (either) return union(either.map(inner));
  if (allOf) return allOf.map((/** @type {Schema} */ it) => inParentheses(inner(it))).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((/** @type {string} */ type) => inner({ ...schema, type })));
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

/** @param {Schema} schema @param {Record<string, Schema>} named @param {string} indent */
function objectOf({ properties, required = [], additionalProperties }, named, indent) {
  if (!properties) return `Record<string, ${typeOf(additionalProperties === true ? undefined : additionalProperties, named, indent)}>`;
  const fields = Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }));
  const written = (/** @type {string} */ deeper) => fields.map(({ name, isRequired, schema }) => field(name, isRequired, typeOf(schema, named, deeper)));
  return bracketed(written, indent);
}

/** @param {(indent: string) => string[]} fields @param {string} indent */
function bracketed(fields, indent) {
  const short = `{ ${fields('').join('; ')} }`;
  if (!short.includes('\n') && indent.length + short.length <= WIDTH) return short;
  const deeper = `${indent}  `;
  return `{\n${fields(deeper).map((it) => `${deeper}${it};\n`).join('')}${indent}}`;
}

const field = (/** @type {string} */ name, /** @type {boolean} */ isRequired, /** @type {string} */ type) =>
  `${/^[A-Za-z_]\w*$/.test(name) ? name : literal(name)}${isRequired ? '' : '?'}: ${type}`;

const literal = (/** @type {unknown} */ value) => (typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value));

const union = (/** @type {string[]} */ types) => [...new Set(types)].join(' | ');

const inParentheses = (/** @type {string} */ type) => (/^[^{]* [|&] /.test(type) || /\} [|&] /.test(type) ? `(${type})` : type);

/** @param {string} ref @returns {never} */
function unknownRef(ref) {
  throw new Error(`nothing is known of ${ref}`);
}

module.exports = { typeOf, bracketed, field, literal };
