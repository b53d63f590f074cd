import { planOperation, type NewOperation } from './plan-operation.ts';

const MODULE = "import { Module } from '@nestjs/common';\n\n@Module({ providers: [Other] })\nexport class ReportsModule {}\n";
const files: Record<string, string> = {
  'libs/contracts/src/index.ts': "export * from './a.js';\n",
  'apps/room/src/reports/reports.module.ts': MODULE,
  'apps/media/src/app.module.ts': `import { Other } from './videos/other.js';\n${MODULE}`,
};
const doors: NewOperation = { service: 'room', folder: 'reports', operationId: 'closeDoors', route: 'POST /v1/room/:roomId/doors' };
const plan = (changes: Partial<NewOperation> = {}) => planOperation({ ...doors, ...changes }, (file) => files[file]);

test('a new operation is four files, and two lines that name them', () => {
  expect(plan().map(({ file, isNew }) => [file, isNew])).toEqual([
    ['libs/contracts/src/room/close-doors.operations.ts', true],
    ['apps/room/src/reports/close-doors.ts', true],
    ['apps/room/src/reports/close-doors.spec.ts', true],
    ['test/system/close-doors.spec.ts', true],
    ['libs/contracts/src/index.ts', false],
    ['apps/room/src/reports/reports.module.ts', false],
  ]);
});

test('the declaration contains what follows from the route', () => {
  const [declaration, useCase] = plan().map(({ text }) => text);
  expect(declaration).toContain(
    "route: 'POST /v1/room/:roomId/doors',\n  auth: 'organization',\n  scope: 'rooms:write',\n  service: 'room',\n  params: z.object({ roomId: z.string() }),\n  body:",
  );
  expect(useCase).toContain('@Handles(closeDoors)\n  async execute(input: RpcInput<typeof closeDoors>)');
  const [inClass] = plan({ route: 'GET /v1/classroom/doors' }).map(({ text }) => text);
  expect(inClass).toContain("auth: 'classroom'");
  expect(inClass).not.toMatch(/scope|sdk|example|body/);
});

test('the lines that name it are inserted in order', () => {
  const [index, module] = plan()
    .slice(-2)
    .map(({ text }) => text);
  expect(index).toBe("export * from './a.js';\nexport * from './room/close-doors.operations.js';\n");
  expect(module).toContain("import { CloseDoors } from './close-doors.js';\n\n@Module({ providers: [CloseDoors, Other] })");
});

test('the module of a service without one for the folder lists it', () => {
  const module = plan({ service: 'media', folder: 'videos' }).at(-1);
  expect(module?.file).toBe('apps/media/src/app.module.ts');
  expect(module?.text).toContain("import { CloseDoors } from './videos/close-doors.js';\n\n@Module({ providers: [CloseDoors, Other] })");
});

test.each([
  ['a service', { service: 'gateway' }, 'Services are'],
  ['a folder with a module', { folder: 'nowhere' }, 'nowhere.module.ts is missing'],
  ['a verb and a noun', { operationId: 'doors' }, 'verb and noun'],
  ['a route', { route: '/v1/doors' }, 'A route is'],
])('a value that is not %s is refused', (_, changes, message) => expect(() => plan(changes)).toThrow(message));

test('existing files are not overwritten', () => {
  files['test/system/close-doors.spec.ts'] = '';
  expect(() => plan()).toThrow('test/system/close-doors.spec.ts is there already');
  delete files['test/system/close-doors.spec.ts'];
});
