/// <reference types="jest" />
import type { Participant, Room } from 'livekit-client';
import { Connection, type ConnectionListener, ClassUpdateReader } from './connection.js';

const events: [string, unknown][] = [];
const mockRooms: object[] = [];
jest.mock('livekit-client', () => ({
  Room: class {
    constructor() {
      return mockRooms.shift() as object;
    }
  },
  RoomEvent: {},
  DefaultReconnectPolicy: class {},
  ConnectionState: { Connected: 'connected', Disconnected: 'disconnected' },
  ConnectionQuality: { Unknown: 'unknown' },
  ParticipantKind: { STANDARD: 0, SIP: 3, EGRESS: 2 },
}));

const listener = new Proxy({} as ConnectionListener, {
  get: (_, name: string) => (value: unknown, more?: unknown) => events.push([name, more === undefined ? value : [value, more]]),
});
const person = (identity: string, connectionQuality: string, kind = 0) => ({ identity, connectionQuality, kind }) as unknown as Participant;

/** A room as it is when the connection has been made. */
async function opened(state: object): Promise<[string, unknown][]> {
  const room = { on: () => room, connect: async () => undefined, remoteParticipants: new Map(), ...state };
  mockRooms.push(room as unknown as Room);
  const connection = await Connection.open({} as never, listener);
  events.length = 0;
  connection.passOnState();
  return events;
}

describe('what LiveKit reported while it was connecting', () => {
  const localParticipant = person('ada', 'unknown');

  it('is passed on: blocked sound, a connection that is being made again, and qualities of people', async () => {
    const remoteParticipants = new Map([person('bob', 'good'), person('recorder', 'poor', 2), person('eve', 'unknown')].entries());
    const state = { canPlaybackAudio: false, state: 'reconnecting', localParticipant: person('ada', 'poor'), remoteParticipants };
    expect(await opened(state)).toEqual([
      ['onAudioBlocked', true],
      ['onReconnecting', true],
      ['onQualityChanged', ['ada', 'poor']],
      ['onQualityChanged', ['bob', 'good']],
    ]);
  });

  it('ends a notice of the connection before', async () => {
    expect(await opened({ canPlaybackAudio: true, state: 'connected', localParticipant })).toEqual([['onAudioBlocked', false]]);
  });
});

const bytes = (words: string) => new TextEncoder().encode(words);
const update = { base: 3, version: 4, hands: [] };
const push = { payload: bytes(JSON.stringify(update)), topic: 'class', sender: '' };

function reader() {
  const problems: string[] = [];
  return { problems, pushes: new ClassUpdateReader((problem) => problems.push(problem)) };
}

describe('the class’s pushes', () => {
  it('are accepted from the server', () => {
    const { pushes, problems } = reader();
    expect(pushes.read(push)).toEqual(update);
    expect(pushes.read({ ...push, sender: undefined })).toEqual(update);
    expect(problems).toEqual([]);
  });

  it('are not accepted from a participant, known or not, nor on another topic', () => {
    const { pushes, problems } = reader();
    expect([{ sender: 'mallory' }, { topic: 'chat' }, { topic: undefined }].map((other) => pushes.read({ ...push, ...other }))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(problems).toEqual([]);
  });

  it('are ignored if they cannot be read, which is reported once', () => {
    const { pushes, problems } = reader();
    for (const words of ['{', 'null', '[]', '"four"', '{"version":"4","base":3}'])
      expect(pushes.read({ ...push, payload: bytes(words) })).toBeUndefined();
    expect(pushes.read({ ...push, payload: new Uint8Array([0xff, 0xfe]) })).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(pushes.read(push)).toEqual(update);
  });
});
