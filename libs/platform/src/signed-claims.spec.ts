import { signClaims, verifyClaims, type Expectations } from './signed-claims.js';

const [OURS, OTHERS] = ['o'.repeat(32), 't'.repeat(32)] as const;
const us = { secret: OURS, issuer: 'us' };
const now = () => Math.floor(Date.now() / 1000);
const claims = { iss: 'us', sub: 'ada', exp: now() + 60, level: 3 };
const sign = (change: object = {}, secret: string = OURS, typ?: string) => signClaims({ ...claims, ...change }, secret, typ);

describe('signed claims', () => {
  it('are those that were signed, and nothing else', () => {
    expect(verifyClaims(sign(), [us])).toEqual(claims);
    expect(verifyClaims(sign({ iat: 5 }), [us])).toEqual({ ...claims, iat: 5 });
  });

  it('are accepted under each key of an issuer, with its own secret', () => {
    const them = { secret: OTHERS, issuer: 'they' };
    expect(verifyClaims(sign({ iss: 'they' }, OTHERS), [us, them])).toMatchObject({ sub: 'ada' });
    expect(() => verifyClaims(sign({ iss: 'they' }), [us, them])).toThrow();
    expect(() => verifyClaims(sign({}, OTHERS), [us, them])).toThrow();
    expect(() => verifyClaims(sign(), [])).toThrow();
  });

  it.each<[string, string, Expectations]>([
    ['without an issuer', sign({ iss: undefined }), {}],
    ['without an end', sign({ exp: undefined }), {}],
    ['after their end', sign({ exp: now() - 1 }), {}],
    ['before they are valid', sign({ nbf: now() + 30 }), {}],
    ['without the audience', sign(), { audience: 'class' }],
    ['for another audience', sign({ aud: 'others' }), { audience: 'class' }],
    ['of another type', sign(), { typ: 'class+jwt' }],
    ['without a signature', sign().replace(/[^.]*$/, ''), {}],
  ])('are refused %s', (_, token, expectations) => {
    expect(() => verifyClaims(token, [us], expectations)).toThrow();
  });

  it('are accepted early, or with a clock that differs, where the caller allows it', () => {
    expect(verifyClaims(sign({ nbf: now() + 30 }), [us], { mayBeEarly: true })).toMatchObject({ sub: 'ada' });
    expect(verifyClaims(sign({ exp: now() - 5 }), [us], { clockTolerance: 10_000 })).toMatchObject({ sub: 'ada' });
    expect(() => verifyClaims(sign({ exp: now() - 15 }), [us], { clockTolerance: 10_000 })).toThrow();
    expect(verifyClaims(sign({ aud: 'class' }, OURS, 'class+jwt'), [us], { audience: 'class', typ: 'class+jwt' })).toMatchObject({
      aud: 'class',
    });
  });
});
