import type { Schema } from '../contracts/schema-changes.ts';
import type { OpenApi } from './open-api.ts';
import { pythonResources } from './python-resources.ts';
import { docstring, PythonTypes, snakeCase } from './python.ts';

const NAMED: Record<string, Schema> = { Room: { type: 'object' }, ItB: { type: 'object' } };

test.each<[Schema, string]>([
  [{}, 'Any'],
  [{ type: 'integer', minimum: 1 }, 'int'],
  [{ type: ['null', 'string'] }, 'str | None'],
  [{ enum: ['a', 'say "b"', null] }, 'Literal["a", "say \\"b\\""] | None'],
  [{ const: true }, 'Literal[True]'],
  [{ type: 'array', items: { type: 'array', items: { enum: ['a'] } } }, 'Sequence[Sequence[Literal["a"]]]'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Mapping[str, float]'],
  [{ anyOf: [{ $ref: '#/components/schemas/Room' }, { type: 'null' }] }, 'Room | None'],
  [{ type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } }, 'Sequence[ItItem]'],
  [{ oneOf: [{ type: 'object', properties: {} }, { type: 'object', properties: {} }, { type: 'null' }] }, 'It1 | It2 | None'],
])('%j is %s', (schema, type) => {
  expect(new PythonTypes(NAMED).typeOf(schema, 'It')).toBe(type);
});

test('an object is a class with its fields, after the objects in them', () => {
  const types = new PythonTypes(NAMED);
  const b = { type: 'object', properties: { c: { type: 'boolean', description: 'Whether.' } } };
  types.declare('It', { type: 'object', description: 'It.', properties: { a: { type: 'string' }, b }, required: ['a'] });
  expect(types.text).toBe(
    'class ItBValue(TypedDict):\n    c: NotRequired[bool]\n    """Whether."""\n\n\nclass It(TypedDict):\n    """It."""\n\n    a: str\n    b: NotRequired[ItBValue]\n',
  );
});

test('a field whose name Python reserves is in a dictionary of fields', () => {
  const types = new PythonTypes({});
  types.declare('It', { type: 'object', properties: { from: { type: 'integer' } }, required: ['from'] });
  expect(types.text).toBe('It = TypedDict(\n    "It",\n    {\n        "from": "int",\n    },\n)\n');
});

test('two types do not have one name, and a schema that is not referenced is not a type', () => {
  const types = new PythonTypes({});
  types.declare('It', { type: 'string' });
  expect(() => types.declare('It', { type: 'integer' })).toThrow('It');
  expect(() => types.typeOf({ $ref: '#/components/schemas/Nothing' }, 'It')).toThrow('Nothing');
});

test('names are in snake case, and texts end where they should', () => {
  expect(snakeCase('attendanceCsv')).toBe('attendance_csv');
  expect(() => snakeCase('import')).toThrow('import');
  expect(docstring('A \\ and """, "it"')).toBe('"""A \\\\ and \\""", "it\\""""');
});

test.each([
  ['', 'def mute(self, b: str, c_d: str, body: types.CallBody | None = None, **options: Unpack[RequestOptions]) -> types.CallData:'],
  [
    'Async',
    'async def mute(self, b: str, c_d: str, body: types.CallBody | None = None, **options: Unpack[RequestOptions]) -> types.CallData:',
  ],
])('a method of the %s client takes the parts of the path, then what need not be given', (prefix, method) => {
  const schema = { type: 'object', properties: { e: {} } };
  const content = { 'application/json': { schema } };
  const call = {
    operationId: 'call',
    description: 'It.',
    security: [],
    parameters: [],
    requestBody: { required: false, content },
    responses: { 200: { content: { 'application/json': { schema: { properties: { data: schema } } } } } },
  };
  const document = { paths: { '/a/{b}/{cD}': { post: call } }, components: { schemas: {} } } as unknown as OpenApi;
  const [, text = ''] = pythonResources([{ operationId: 'call', sdk: 'rooms.people.mute' }], document).split(`class ${prefix}RoomsPeople:`);
  expect(text.split('\nclass ')[0]).toContain(`    ${method}\n        """It."""\n`);
});
