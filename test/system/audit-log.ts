import { type ApiClient, eventually } from '@classroom/testing';

export interface Entry {
  id: string;
  sequence: number;
  at: string;
  organizationId?: string | null;
  actor: { type: string; id: string };
  operation: string;
  target: Record<string, string>;
  fields: string[];
  changes: { kind: string; id: string; before: object | null; after: object | null }[];
  status: number | null;
  address: string | null;
  requestId: string;
  hash: string;
}

export const entriesOf = async (
  api: ApiClient,
  query: `&${string}` | '' = '',
  path: '/v1/audit' | '/v1/admin/audit' | '/v1/dashboard/audit' = '/v1/audit',
): Promise<Entry[]> => (await api.get(`${path}?limit=100${query}`)).body.data.entries as Entry[];
/** The newest entry of the operation, once it is there. */
export const entryOf = async (api: ApiClient, operation: string): Promise<Entry> => {
  let found: Entry | undefined;
  await eventually(async () => expect((found = (await entriesOf(api, `&operation=${operation}`))[0])).toBeDefined());
  return found as Entry;
};
export const keyOf = async (api: ApiClient, scopes: string[]) => (await api.post('/v1/api-keys', { name: 'Key', scopes })).body.data;
