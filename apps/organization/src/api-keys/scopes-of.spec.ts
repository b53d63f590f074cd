import { scopesOf } from './scopes-of.js';

describe('the scopes of an API key', () => {
  it.each([
    [['billing:read'], ['billing:read', 'reports:read']],
    [
      ['rooms:read', 'chat:read', 'billing:read'],
      ['rooms:read', 'chat:read', 'billing:read', 'reports:read'],
    ],
    [
      ['rooms:write', 'events:read'],
      ['rooms:write', 'events:read'],
    ],
  ])('from before those of reports and chat are what it could read: %j', (scopes, shown) => {
    expect(scopesOf({ scopes, scopesVersion: 1 })).toEqual(shown);
  });

  it('are otherwise those that it was given', () => {
    expect(scopesOf({ scopes: ['billing:read', 'rooms:read'], scopesVersion: 2 })).toEqual(['billing:read', 'rooms:read']);
  });
});
