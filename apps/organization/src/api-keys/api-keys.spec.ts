import { requireNoMoreRights, type ApiKeyRights } from './api-keys.js';

const [SOON, LATE] = [new Date('2026-01-01'), new Date('2026-02-01')];
const rights = (scopes: string[], expiresAt: Date | null = null): ApiKeyRights => ({ scopes, expiresAt });

describe('the rights that a key may grant', () => {
  it('are its own, or fewer', () => {
    expect(() => requireNoMoreRights(rights(['a', 'b']), rights(['b']))).not.toThrow();
    expect(() => requireNoMoreRights(rights(['a'], LATE), rights(['a'], LATE))).not.toThrow();
    expect(() => requireNoMoreRights(rights(['a']), rights(['a'], SOON))).not.toThrow();
  });

  it.each([
    ['another scope', rights(['a']), rights(['a', 'c']), 'c'],
    ['a longer life', rights(['a'], SOON), rights(['a'], LATE), 'outlives'],
    ['a life without end', rights(['a'], SOON), rights(['a']), 'outlives'],
  ])('are not %s', (_, own, asked, named) => {
    expect(() => requireNoMoreRights(own, asked)).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN', message: expect.stringContaining(named) }),
    );
  });
});
