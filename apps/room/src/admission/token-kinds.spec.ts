import { AccessToken, TokenVerifier } from 'livekit-server-sdk';
import { signToken, verifyJoinToken } from '../livekit/join-token.js';
import { signClassroomToken, verifyClassroomToken } from './authenticate.js';

const livekit = {
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'l'.repeat(32),
  LIVEKIT_OTHER_KEYS: [],
  JOIN_TOKEN_TTL_SECONDS: 60,
  CLASSROOM_URL: 'https://class.example',
};
const config = { ...livekit, CLASSROOM_TOKEN_SECRET: ['c'.repeat(32)] as [string] };
const ROOM = { sid: 'RM_1', organizationId: 'org_a' };
const ada = { uid: 'ada', name: 'Ada', role: 'TEACHER' } as const;

/** A token as the recording service signs it: with the same key, for the same room. */
async function recorderToken(): Promise<string> {
  const token = new AccessToken('key', livekit.LIVEKIT_API_SECRET, { identity: 'EG_1', ttl: 60 });
  token.addGrant({ room: 'RM_1', roomJoin: true, hidden: true, recorder: true });
  return token.toJwt();
}

const sign = {
  join: () => signToken(config, 'join', ROOM, ada, new Date()).token,
  media: () => signToken(config, 'media', ROOM, ada, new Date()).token,
  classroom: () => signClassroomToken(config, { sid: 'RM_1', uid: 'ada', sessionNumber: 1 }, new Date()).token,
  recorder: recorderToken,
};
const accept = {
  'to open a session': (token: string) => verifyJoinToken(config, token),
  'to act in class': (token: string) => verifyClassroomToken(config, token),
  'to connect to LiveKit': (token: string) => new TokenVerifier('key', livekit.LIVEKIT_API_SECRET).verify(token),
};

describe('a token', () => {
  it.each<[keyof typeof sign, (keyof typeof accept)[]]>([
    ['join', ['to open a session', 'to connect to LiveKit']],
    ['media', ['to connect to LiveKit']],
    ['classroom', ['to act in class']],
    ['recorder', ['to connect to LiveKit']],
  ])('of the kind %s is valid for %j and nothing else', async (kind, places) => {
    const token = await sign[kind]();
    const isTaken = async (place: keyof typeof accept) => {
      try {
        return Boolean(await accept[place](token));
      } catch {
        return false;
      }
    };
    const taken = await Promise.all(
      (Object.keys(accept) as (keyof typeof accept)[]).map(async (place) => ((await isTaken(place)) ? [place] : [])),
    );
    expect(taken.flat()).toEqual(places);
  });
});
