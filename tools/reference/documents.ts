import path from 'node:path';
import { REPO } from '../stack/paths.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { Library } from '../contracts/list-contracts.ts';
import type { OpenApi } from './open-api.ts';

/** A path in the repository, and what it is to hold. */
export interface Document {
  file: string;
  document: OpenApi;
}

/** The two references. */
export function documents(contracts: Library): Document[] {
  const endpoints = Object.values(contracts).filter((it) => it instanceof Object && 'operationId' in it) as Parameters<Library['openApi']>[0];
  return (['public', 'internal'] as const).map((audience) => ({
    file: path.join(REPO, 'docs', 'reference', audience === 'public' ? 'openapi.json' : 'openapi.internal.json'),
    document: contracts.openApi(endpoints, { version: manifest.version, audience }) as unknown as OpenApi,
  }));
}

export const textOf = (document: OpenApi) => `${JSON.stringify(document, null, 2)}\n`;
