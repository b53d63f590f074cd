export interface NewOperation {
  service: string;
  /** The service's feature folder. */
  folder: string;
  operationId: string;
  /** `GET /v1/room/:roomId/summary` */
  route: string;
}

/** A file and the content to write to it. */
export interface Edit {
  file: string;
  text: string;
  isNew: boolean;
}

const SCOPES: Record<string, [read: string, write: string]> = {
  ai: ['ai:use', 'ai:use'],
  billing: ['billing:read', 'billing:read'],
  media: ['videos:read', 'videos:write'],
  organization: ['webhooks:manage', 'webhooks:manage'],
  recording: ['recordings:read', 'recordings:write'],
  room: ['rooms:read', 'rooms:write'],
};
const TAGS: Record<string, string> = {
  ai: 'Tutor',
  billing: 'Billing',
  media: 'Videos',
  organization: 'Webhook endpoints',
  recording: 'Recordings',
  room: 'Rooms',
};

/**
 * Plans a new operation: its declaration, use case and specs, and the lines in existing files that refer to them.
 * @param read returns a file's content by its path in the repository, undefined if there is none
 * @throws Error that says which input is expected
 */
export function planOperation(operation: NewOperation, read: (file: string) => string | undefined): Edit[] {
  const { service, folder, operationId, route } = operation;
  const [method, address = ''] = route.split(' ');
  if (!(service in SCOPES)) throw new Error(`Services are ${Object.keys(SCOPES).join(', ')}.`);
  if (!/^[a-z]+([A-Z][a-z]+)+$/.test(operationId)) throw new Error('An operation is named by verb and noun, such as closeDoors.');
  if (!/^(GET|POST|PATCH|DELETE)$/.test(method ?? '') || !address.startsWith('/v1/'))
    throw new Error('A route is a method and a path below /v1/.');
  const kebab = operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const className = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const useCase = `apps/${service}/src/${folder}/${kebab}`;
  const own = `apps/${service}/src/${folder}/${folder}.module.ts`;
  const ofService = `apps/${service}/src/app.module.ts`;
  // A service has a module for each folder, or one that lists the providers of all.
  const isListedThere = read(own) === undefined && read(ofService)?.includes(`from './${folder}/`);
  const [moduleFile, source] = isListedThere ? [ofService, `./${folder}/${kebab}.js`] : [own, `./${kebab}.js`];
  const index = 'libs/contracts/src/index.ts';
  const names = { operation, kebab, className, method: method ?? '', address };
  const created = [
    { file: `libs/contracts/src/${service}/${kebab}.operations.ts`, text: declaration(names) },
    { file: `${useCase}.ts`, text: useCaseOf(names) },
    { file: `${useCase}.spec.ts`, text: specOf(names) },
    { file: `test/system/${kebab}.spec.ts`, text: systemSpec(names) },
  ].map((it) => ({ ...it, isNew: true }));
  const taken = created.find(({ file }) => read(file) !== undefined);
  if (taken) throw new Error(`${taken.file} is there already.`);
  const module = read(moduleFile);
  if (module === undefined) throw new Error(`${moduleFile} is missing: name a folder of ${service} that has a module.`);
  return [
    ...created,
    { file: index, text: `${read(index) ?? ''}export * from './${service}/${kebab}.operations.js';\n`, isNew: false },
    { file: moduleFile, text: withProvider(module, className, source), isNew: false },
  ];
}

interface Names {
  operation: NewOperation;
  kebab: string;
  className: string;
  method: string;
  address: string;
}

function declaration({ operation: { service, operationId, route }, method, address }: Names): string {
  const isInClass = address.startsWith('/v1/classroom/');
  const params = [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const scope = SCOPES[service]?.[method === 'GET' ? 0 : 1];
  return `import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';

export const ${operationId} = defineOperation({
  operationId: '${operationId}',
  summary: '',
  description: '',
  tag: '${isInClass ? 'Class session' : TAGS[service]}',
${isInClass ? '' : `  sdk: '${service}s.${operationId}',\n`}  route: '${route}',
  auth: '${isInClass ? 'classroom' : 'organization'}',
${isInClass ? '' : `  scope: '${scope}',\n`}  service: '${service}',
${params.length > 0 ? `  params: z.object({ ${params.map((name) => `${name}: z.string()`).join(', ')} }),\n` : ''}${hasBody ? '  body: z.object({}),\n' : ''}  output: z.object({}),
  errors: [],
${isInClass ? '' : `  example: {${params.length > 0 ? ` params: { ${params.map((name) => `${name}: ''`).join(', ')} } ` : ''}},\n`}});
`;
}

const useCaseOf = ({ operation: { operationId }, className }: Names) => `import { Injectable } from '@nestjs/common';
import { ${operationId}, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';

@Injectable()
export class ${className} {
  @Handles(${operationId})
  async execute(input: RpcInput<typeof ${operationId}>) {
    throw new Error(\`not written yet: \${JSON.stringify(input)}\`);
  }
}
`;

const specOf = ({ operation: { operationId }, className, kebab }: Names) => `import { ${className} } from './${kebab}.js';

describe('${operationId}', () => {
  it('does what its declaration says', () => {
    expect(new ${className}()).toBeUndefined();
  });
});
`;

const systemSpec = ({
  operation: { operationId, route },
  method,
  address,
}: Names) => `import { newOrganization, TestStack, type ApiClient } from '@classroom/testing';

describe('${route}', () => {
  let stack: TestStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await TestStack.start();
    ({ api } = await newOrganization(stack));
  }, 120_000);

  afterAll(() => stack?.stop(), 60_000);

  it('answers ${operationId}', async () => {
    expect(await api.call({ method: '${method}', path: '${address}' })).toMatchObject({ status: 200, body: { success: true, data: {} } });
  });
});
`;

function withProvider(module: string, className: string, source: string): string {
  const imported = module.replace(/\n\n@Module/, `\nimport { ${className} } from '${source}';\n\n@Module`);
  return imported.includes('providers: [')
    ? imported.replace('providers: [', `providers: [${className}, `)
    : imported.replace('@Module({', `@Module({\n  providers: [${className}],`);
}
