import { differences, originOf, withheld } from './audit-changes.js';

describe('what the audit log says about a change', () => {
  it('is the fields that differ', () => {
    const before = { name: 'A', scopes: ['x'], expiresAt: null };
    expect(differences(before, { ...before, name: 'B' })).toEqual({ before: { name: 'A' }, after: { name: 'B' } });
    expect(differences(null, { name: 'A' })).toEqual({ before: null, after: { name: 'A' } });
    expect(differences({ name: 'A' }, null)).toEqual({ before: { name: 'A' }, after: null });
  });

  it('is that a secret changed, and never the secret', () => {
    const changed = differences({ secret: withheld('marker-1') }, { secret: withheld('marker-2') });
    expect(changed).toEqual({ before: { secret: '(withheld)' }, after: { secret: '(withheld)' } });
    expect(differences({ secret: withheld('marker-1') }, { secret: withheld('marker-1') })).toEqual({ before: {}, after: {} });
  });

  it('is the host of an address, and never its path', () => {
    const of = (url: string | null) => ({ url: originOf(url) });
    const address = 'https://hooks.example:8443/services/marker?token=marker';
    expect(differences(of(null), of(address))).toEqual({ before: { url: null }, after: { url: 'https://hooks.example:8443/…' } });
    expect(differences(of(`${address}1`), of(`${address}2`)).after).toEqual({ url: 'https://hooks.example:8443/…' });
    expect(differences(of(address), of(address))).toEqual({ before: {}, after: {} });
  });
});
