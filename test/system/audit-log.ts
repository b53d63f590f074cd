import type { AuditEntry } from '@classroom/contracts';
import { type ApiClient, eventually } from '@classroom/testing';

/** Operators also see whose log it is in. Staff with a dashboard token get fewer fields. */
export type Entry = AuditEntry & { organizationId?: string | null };

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
