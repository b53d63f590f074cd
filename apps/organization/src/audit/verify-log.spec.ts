import type { AuditEntryEntity } from '../schema/audit-entry.entity.js';
import { ChainVerifier, hashOf } from './verify-log.js';

function chainOf(length: number): AuditEntryEntity[] {
  const entries: AuditEntryEntity[] = [];
  for (let sequence = 1; sequence <= length; sequence++) {
    const entry = {
      entryId: `entry-${sequence}`,
      organizationId: 'org_1',
      sequence,
      at: new Date(1_768_467_600_000 + sequence),
      actorType: 'operator' as const,
      actorId: 'ada',
      operation: 'updateOrganization',
      address: '203.0.113.7',
      requestId: `request-${sequence}`,
      target: {},
      fields: ['name'],
      changes: [],
      status: 200,
    };
    entries.push({ ...entry, hash: hashOf(entry, entries.at(-1)?.hash ?? null) });
  }
  return entries;
}

function problemsOf(entries: readonly AuditEntryEntity[], head: AuditEntryEntity | undefined): string[] {
  const verifier = new ChainVerifier();
  for (const entry of entries) verifier.add(entry);
  verifier.end(head);
  return verifier.problems;
}

describe('a log of three entries', () => {
  const chain = chainOf(3);
  const head = chain[2];
  const changed = (index: number, change: Partial<AuditEntryEntity>) =>
    chain.map((entry, at) => (at === index ? { ...entry, ...change } : entry));

  it('is intact', () => expect(problemsOf(chain, head)).toEqual([]));

  it.each<[string, Partial<AuditEntryEntity>]>([
    ['actor', { actorId: 'eve' }],
    ['time', { at: new Date(0) }],
    ['operation', { operation: 'getOrganization' }],
    ['address', { address: '203.0.113.8' }],
    ['status', { status: 403 }],
    ['organization', { organizationId: 'org_2' }],
    ['target', { target: { keyId: 'key_1' } }],
    ['fields', { fields: [] }],
    ['changes', { changes: [{ kind: 'api-key', id: 'key_1', before: null, after: {} }] }],
  ])('shows which one has another %s', (_, change) => {
    expect(problemsOf(changed(1, change), head)).toEqual([expect.stringContaining('entry 2 (entry-2)')]);
  });

  it('shows a change whose hash was computed again, at the entry after it', () => {
    const entry = { ...(chain[1] as AuditEntryEntity), actorId: 'eve' };
    const forged = { ...entry, hash: hashOf(entry, (chain[0] as AuditEntryEntity).hash) };
    expect(problemsOf(changed(1, forged), head)).toEqual([expect.stringContaining('entry 3 (entry-3)')]);
  });

  it('shows which one was removed', () => {
    expect(problemsOf([chain[0], chain[2]] as AuditEntryEntity[], head)).toEqual(['entries 2 to 2 are missing']);
    expect(problemsOf(chain.slice(1), head)).toEqual(['entries 1 to 1 are missing']);
    expect(problemsOf(chain.slice(0, 1), head)).toEqual(['entries 2 to 3 are missing, the newest']);
    expect(problemsOf(chain, undefined)).toHaveLength(1);
  });

  it('shows that two were exchanged', () => {
    const [first, second, third] = chain as [AuditEntryEntity, AuditEntryEntity, AuditEntryEntity];
    const exchanged = [first, { ...third, sequence: 2 }, { ...second, sequence: 3 }];
    expect(problemsOf(exchanged, head)[0]).toContain('entry 2 (entry-3)');
  });
});
