import { openPicture, PICTURES, signClaims } from '@classroom/platform';
import { TokenVerifier } from 'livekit-server-sdk';
import { signToken, verifyJoinToken, type TokenUse } from './join-token.js';

const key = (name: string) => ({
  LIVEKIT_API_KEY: name,
  LIVEKIT_API_SECRET: name.repeat(32),
  JOIN_TOKEN_TTL_SECONDS: 60,
  CLASSROOM_URL: 'https://class.example',
});
const other = (...names: string[]) => ({ LIVEKIT_OTHER_KEYS: names.map((name) => ({ key: name, secret: name.repeat(32) })) });

const ROOM = { sid: 'RM_1', organizationId: 'org_a' };
const tokenBy = (name: string) => signToken(key(name), 'join', ROOM, { uid: 'ada', name: 'Ada', role: 'TEACHER' }, new Date()).token;

it("a join token is accepted under LiveKit's key and the other configured keys", () => {
  const token = tokenBy('a');
  expect(verifyJoinToken({ ...key('a'), ...other() }, token)).toMatchObject({ sid: 'RM_1', uid: 'ada' });
  expect(verifyJoinToken({ ...key('b'), ...other('c', 'a') }, token)).toMatchObject({ sid: 'RM_1', uid: 'ada' });
  expect(() => verifyJoinToken({ ...key('b'), ...other('c') }, token)).toThrow();
  // A key is accepted only with its own secret.
  expect(() => verifyJoinToken({ ...key('b'), LIVEKIT_OTHER_KEYS: [{ key: 'a', secret: 'b'.repeat(32) }] }, token)).toThrow();
});

it('a token that LiveKit renews opens no session after the time of the join token', async () => {
  const { LIVEKIT_API_KEY, LIVEKIT_API_SECRET } = key('a');
  const verifier = new TokenVerifier(LIVEKIT_API_KEY, LIVEKIT_API_SECRET);
  const ada = { uid: 'ada', name: 'Ada', role: 'TEACHER' } as const;
  const renewed = (issuedAt: Date) => {
    // The link is too old to be verified, so its claims are read without a check.
    const link = signToken(key('a'), 'join', ROOM, ada, issuedAt).token;
    const claims = JSON.parse(Buffer.from(link.split('.')[1] ?? '', 'base64url').toString()) as { iss: string; sub: string };
    const now = Math.floor(Date.now() / 1000);
    return signClaims({ ...claims, nbf: now, exp: now + 600 }, LIVEKIT_API_SECRET);
  };
  const [inTime, late] = [renewed(new Date()), renewed(new Date(Date.now() - 61_000))];
  const config = { ...key('a'), ...other() };
  expect(verifyJoinToken(config, inTime)).toMatchObject({ sid: 'RM_1', uid: 'ada' });
  await expect(verifier.verify(late)).resolves.toMatchObject({ sub: 'ada' });
  expect(() => verifyJoinToken(config, late)).toThrow('expired');
});

describe("a participant's photo", () => {
  const photoURL = 'https://school.example/bob.png';
  const attributesOf = async (use: TokenUse, photo: string | null) => {
    const bob = { uid: 'bob', name: 'Bob', role: 'STUDENT', photoURL: photo } as const;
    const { token } = signToken(key('a'), use, ROOM, bob, new Date());
    return (await new TokenVerifier('a', 'a'.repeat(32)).verify(token)).attributes ?? {};
  };

  it("is a path at the gateway for pages, and only in a join token also the school's address", async () => {
    const [join, media] = [await attributesOf('join', photoURL), await attributesOf('media', photoURL)];
    const path = join['photo'] ?? '';
    expect(openPicture(['a'.repeat(32)], path.slice(PICTURES.length))).toMatchObject({ address: photoURL });
    expect(join['photoURL']).toBe(photoURL);
    expect(media).toMatchObject({ photo: path, photoURL: `https://class.example${path}` });
  });

  it('is in no token if there is none', async () => {
    for (const use of ['join', 'media'] as const) {
      const attributes = await attributesOf(use, null);
      expect(attributes).not.toHaveProperty('photo');
      expect(attributes).not.toHaveProperty('photoURL');
    }
  });
});
