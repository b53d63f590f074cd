import { signFilmToken, verifyFilmToken } from './film-tokens.js';
import { signClaims, verifyClaims } from './signed-claims.js';

const [SECRET, OTHER] = ['s'.repeat(32), 'o'.repeat(32)];
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

describe('a token for filming', () => {
  it('names its class, also after the secret was rotated', () => {
    const token = signFilmToken(SECRET, 'RM_1');
    expect(verifyFilmToken([SECRET], token)).toBe('RM_1');
    expect(verifyFilmToken([OTHER, SECRET], token)).toBe('RM_1');
  });

  it('is refused after an hour, or if another secret signed it', () => {
    expect(verifyFilmToken([SECRET], signFilmToken(SECRET, 'RM_1', ago(3_500)))).toBe('RM_1');
    for (const token of [signFilmToken(SECRET, 'RM_1', ago(3_700)), signFilmToken(OTHER, 'RM_1'), '', 'a.b.c'])
      expect(() => verifyFilmToken([SECRET], token)).toThrow();
  });

  it('is none of LiveKit, and none of LiveKit is one', () => {
    const exp = Math.floor(Date.now() / 1000) + 60;
    const ofLiveKit = { iss: 'virtual-classroom', aud: 'recording', sub: 'RM_1', exp };
    expect(() => verifyFilmToken([SECRET], signClaims(ofLiveKit, SECRET))).toThrow();
    const keys = [{ issuer: 'virtual-classroom', secret: SECRET }];
    expect(() => verifyClaims(signFilmToken(SECRET, 'RM_1'), keys)).toThrow();
    expect(verifyClaims(signClaims(ofLiveKit, SECRET), keys)).toMatchObject(ofLiveKit);
  });
});
