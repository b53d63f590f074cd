import { signToken, verifyJoinToken } from './join-token.js';

const key = (name: string) => ({ LIVEKIT_API_KEY: name, LIVEKIT_API_SECRET: name.repeat(32), JOIN_TOKEN_TTL_SECONDS: 60 });
const other = (...names: string[]) => ({ LIVEKIT_OTHER_KEYS: names.map((name) => ({ key: name, secret: name.repeat(32) })) });

const tokenBy = async (name: string) =>
  (await signToken(key(name), 'join', 'RM_1', { uid: 'ada', name: 'Ada', role: 'TEACHER' }, new Date())).token;

it("a join token is accepted under LiveKit's key and the other configured keys", async () => {
  const token = await tokenBy('a');
  expect(await verifyJoinToken({ ...key('a'), ...other() }, token)).toMatchObject({ sid: 'RM_1', uid: 'ada' });
  expect(await verifyJoinToken({ ...key('b'), ...other('c', 'a') }, token)).toMatchObject({ sid: 'RM_1', uid: 'ada' });
  await expect(verifyJoinToken({ ...key('b'), ...other('c') }, token)).rejects.toThrow();
  // A key is accepted only with its own secret.
  await expect(verifyJoinToken({ ...key('b'), LIVEKIT_OTHER_KEYS: [{ key: 'a', secret: 'b'.repeat(32) }] }, token)).rejects.toThrow();
});
