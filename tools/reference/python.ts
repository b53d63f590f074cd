import type { Schema } from '../contracts/schema-changes.ts';
import { capital } from './sdk-calls.ts';

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

const isName = (text: string) => /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.has(text);

/** @throws if Python cannot have this name */
export function snakeCase(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (!isName(snake)) throw new Error(`Python has no name ${snake}`);
  return snake;
}

export const docstring = (text: string) => `"""${text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""').replace(/"$/, '\\"')}"""`;

export const literal = (value: unknown) =>
  value === null ? 'None' : typeof value === 'boolean' ? capital(String(value)) : JSON.stringify(value);

const union = (types: string[]) => [...new Set(types)].sort((a, b) => Number(a === 'None') - Number(b === 'None')).join(' | ');

/** The Python types of schemas. An object becomes a TypedDict with a name of its own. */
export class PythonTypes {
  private readonly named: Record<string, Schema>;
  private readonly declarations = new Map<string, string>();

  /** @param named schemas that a $ref may refer to; their names are types */
  constructor(named: Record<string, Schema>) {
    this.named = named;
  }

  /** All declarations so far; what another uses is before it. */
  get text(): string {
    return [...this.declarations.values()].join('\n\n');
  }

  /** @param name of the object in the schema, if it has one @returns the type of the values that the schema allows */
  typeOf(schema: Schema | undefined, name: string): string {
    if (schema === undefined) return 'Any';
    if (schema.$ref) return this.nameOf(schema.$ref);
    if (schema.const !== undefined) return union([this.literals([schema.const])]);
    if (schema.enum) return this.literals(schema.enum);
    if (schema.properties) return this.declareObject(name, schema);
    const either = schema.anyOf ?? schema.oneOf;
    if (either) {
      const isOne = either.filter(({ type }) => type !== 'null').length === 1;
      return union(either.map((it, index) => this.typeOf(it, isOne ? name : `${name}${index + 1}`)));
    }
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.typeOf({ ...schema, type }, name)));
    switch (schema.type) {
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'string':
        return 'str';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'array':
        return `Sequence[${this.typeOf(schema.items ?? {}, `${name}Item`)}]`;
      case 'object': {
        const { additionalProperties: values } = schema;
        return `Mapping[str, ${this.typeOf(typeof values === 'object' ? values : undefined, `${name}Value`)}]`;
      }
      default:
        return 'Any';
    }
  }

  /** Gives the schema this name, whatever it is. */
  declare(name: string, schema: Schema): void {
    const type = this.typeOf(schema, name);
    if (type !== name) this.alias(name, type, schema.description);
  }

  /** @param type of values, in terms of other types */
  alias(name: string, type: string, description = ''): void {
    this.add(name, `${name}: TypeAlias = ${JSON.stringify(type)}\n${description ? `${docstring(description)}\n` : ''}`);
  }

  private declareObject(name: string, { properties = {}, required = [], description }: Schema): string {
    const fields = Object.entries(properties).map(([key, schema]) => {
      const inner = `${name}${capital(key.replaceAll(/\W/g, ''))}`;
      const type = this.typeOf(schema, this.named[inner] ? `${inner}Value` : inner);
      return { key, type: required.includes(key) ? type : `NotRequired[${type}]`, description: schema.description };
    });
    if (fields.every(({ key }) => isName(key))) {
      const lines = fields.map(({ key, type, description: text }) => `    ${key}: ${type}\n${text ? `    ${docstring(text)}\n` : ''}`);
      const head = description ? `    ${docstring(description)}\n\n` : '';
      this.add(name, `class ${name}(TypedDict):\n${head}${lines.join('') || (head ? '' : '    pass\n')}`);
    } else {
      const lines = fields.map(({ key, type }) => `        ${literal(key)}: ${JSON.stringify(type)},\n`);
      this.add(name, `${name} = TypedDict(\n    ${literal(name)},\n    {\n${lines.join('')}    },\n)\n`);
    }
    return name;
  }

  /** @throws if another type has this name */
  private add(name: string, text: string): void {
    const known = this.declarations.get(name);
    if (known !== undefined && known !== text) throw new Error(`two Python types have the name ${name}`);
    this.declarations.set(name, text);
  }

  private literals(values: unknown[]): string {
    const given = values.filter((value) => value !== null).map(literal);
    return union([...(given.length > 0 ? [`Literal[${given.join(', ')}]`] : []), ...(values.includes(null) ? ['None'] : [])]);
  }

  private nameOf(ref: string): string {
    const name = ref.split('/').at(-1) ?? '';
    if (!this.named[name]) throw new Error(`nothing is known of ${ref}`);
    return name;
  }
}
