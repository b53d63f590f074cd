import fs from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { Library } from '../contracts/list-contracts.ts';
import { REPO } from '../stack/context.ts';
import type { OpenApi } from './open-api.ts';
import { pythonResources } from './python-resources.ts';
import { pythonTypes } from './python-types.ts';
import { sdkResources } from './sdk-resources.ts';
import { sdkEntities, sdkTypes } from './sdk-types.ts';
import { pageRoutes, withErrorTable, withMethodTable } from './tables.ts';

/** The contracts, and the library that writes their reference. */
export interface Libraries {
  contracts: Library;
  reference: typeof import('@classroom/api-reference');
}

/** A path in the repository and the document to write there. */
export interface Document {
  file: string;
  document: OpenApi;
}

const endpointsOf = (contracts: Library) => contracts.endpointsAmong(Object.values(contracts));

/** The public and the internal reference. */
export function documents({ contracts, reference }: Libraries): Document[] {
  const endpoints = endpointsOf(contracts);
  return (['public', 'internal'] as const).map((audience) => ({
    file: path.join(REPO, 'docs', 'reference', audience === 'public' ? 'openapi.json' : 'openapi.internal.json'),
    document: reference.openApi(endpoints, { version: manifest.version, audience }) as unknown as OpenApi,
  }));
}

/** The events' reference. */
export const eventsDocument = ({ reference }: Pick<Libraries, 'reference'>) => reference.asyncApi({ version: manifest.version });

export const textOf = (document: object) => `${JSON.stringify(document, null, 2)}\n`;

/** All files that are generated from the contracts: the references, the table of error codes and the clients. */
export function files({ contracts, reference }: Libraries): { file: string; text: string }[] {
  const endpoints = endpointsOf(contracts);
  const references = documents({ contracts, reference }).map(({ file, document }) => ({ file, text: textOf(document) }));
  const both = references.map(({ text }) => JSON.parse(text) as OpenApi);
  const [schools, admin] = both as [OpenApi, OpenApi];
  const of = (isAdmin: boolean) => endpoints.filter(({ auth }) => (auth === 'dispatch') === isAdmin);
  const sdk = path.join(REPO, 'libs', 'sdk', 'src');
  const python = path.join(REPO, 'libs', 'sdk-python', 'src', 'virtual_classroom');
  const readme = path.join(REPO, 'libs', 'sdk', 'README.md');
  const guide = path.join(REPO, 'docs', 'guides', 'api', 'errors.md');
  return [
    ...references,
    { file: path.join(REPO, 'docs', 'reference', 'asyncapi.json'), text: textOf(eventsDocument({ reference })) },
    { file: guide, text: withErrorTable(fs.readFileSync(guide, 'utf8'), contracts) },
    { file: readme, text: withMethodTable(fs.readFileSync(readme, 'utf8'), of(false), schools) },
    { file: path.join(sdk, 'entities.ts'), text: sdkEntities(both) },
    { file: path.join(sdk, 'schema.ts'), text: sdkTypes(both) },
    { file: path.join(sdk, 'resources.ts'), text: sdkResources(of(false), schools) },
    { file: path.join(sdk, 'admin.ts'), text: sdkResources(of(true), admin, 'AdminResources') },
    { file: path.join(python, 'types.py'), text: pythonTypes(both) },
    { file: path.join(python, '_resources.py'), text: pythonResources(of(false), schools) },
    { file: path.join(python, '_admin.py'), text: pythonResources(of(true), admin, 'AdminResources') },
    {
      file: path.join(REPO, 'apps', 'classroom', 'src', 'session', 'routes.ts'),
      text: pageRoutes(endpoints, ({ auth }) => auth === 'classroom' || auth === 'participant', 'people in class call'),
    },
    {
      file: path.join(REPO, 'apps', 'console', 'src', 'api', 'routes.ts'),
      text: pageRoutes(
        endpoints,
        ({ auth, dashboardRole }) => auth === 'dispatch' || dashboardRole !== undefined,
        'staff and operators call',
      ),
    },
  ];
}
