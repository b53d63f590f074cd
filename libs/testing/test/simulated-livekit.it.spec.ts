import { RoomServiceClient, type ServerError } from 'livekit-server-sdk';
import { type SimulatedLiveKitOptions, SimulatedLiveKit } from '../src/livekit/simulated-livekit.js';
import { WebhookInbox } from '../src/livekit/webhook-inbox.js';
import { eventually } from '../src/eventually.js';

const timeScale = 20;

describe('the faults of SimulatedLiveKit', () => {
  let inbox: WebhookInbox;
  let livekit: SimulatedLiveKit;
  let api: RoomServiceClient;

  beforeEach(async () => {
    inbox = new WebhookInbox();
    await start();
  });
  afterEach(async () => {
    await livekit.stop();
    await inbox.close();
  });

  async function start(options: SimulatedLiveKitOptions = {}): Promise<void> {
    const webhookUrls = [await inbox.listen()];
    livekit = await new SimulatedLiveKit({ webhookUrls, timeScale, seed: 7, ...options }).start();
    inbox.trust(livekit.apiKey, livekit.apiSecret);
    api = new RoomServiceClient(livekit.url, livekit.apiKey, livekit.apiSecret, { requestTimeout: 1 });
    await api.createRoom({ name: 'r', emptyTimeout: 6_000, departureTimeout: 6_000 });
    await inbox.waitFor('r', () => true);
  }

  const events = () => inbox.of('r').map(({ event, participant }) => (participant ? `${event} ${participant.identity}` : event));
  const settle = (ms = 150) => new Promise((resolve) => setTimeout(resolve, ms));
  const listed = async () => (await api.listParticipants('r')).map(({ identity }) => identity);

  it('lose, repeat and reorder webhooks, reproducibly by seed', async () => {
    await livekit.faults({ webhooks: { dropNext: 1 } });
    await livekit.connect({ room: 'r', identity: 'lost' });
    const kept = await livekit.connect({ room: 'r', identity: 'kept' });
    await eventually(() => expect(events()).toEqual(['room_started', 'participant_joined kept']));

    await livekit.faults({ webhooks: { duplicateRate: 1 } });
    await livekit.leave(kept.sid);
    await eventually(() => {
      const left = inbox.of('r').filter(({ event }) => event === 'participant_left');
      expect(left).toHaveLength(2);
      expect(new Set(left.map(({ id }) => id)).size).toBe(1);
    });

    await livekit.faults({ webhooks: { duplicateRate: 0, reorderRate: 0.5, reorderWithinMs: 100 } });
    const many = Array.from({ length: 40 }, (_, n) => ({ room: 'r', identity: `p${n}` }));
    await livekit.connectMany(many);
    const received = () => events().filter((one) => one.startsWith('participant_joined p'));
    const sent = many.map(({ identity }) => `participant_joined ${identity}`);
    await eventually(() => expect(received().toSorted()).toEqual(sent.toSorted()));
    expect(received()).not.toEqual(sent);
    expect((await livekit.stats()).webhooks[0]).toMatchObject({ lostByFault: 1, duplicated: 1 });
  });

  it('keep a ghost in the list until it is removed, and record its end in the truth', async () => {
    const { sid } = await livekit.connect({ room: 'r', identity: 'ghost' });
    await livekit.ghost(sid);
    await settle(1_500);
    expect(await listed()).toEqual(['ghost']);
    expect((await livekit.truth('r'))[0]).toMatchObject({ sid, reason: 'CRASHED', disconnectedAt: expect.any(Number) });
    await api.removeParticipant('r', 'ghost');
    expect(await listed()).toEqual([]);
  });

  it('answer with stale lists, with none, and with dead participants from Redis', async () => {
    const { sid } = await livekit.connect({ room: 'r', identity: 'a' });
    await livekit.faults({ lists: { mode: 'stale' } });
    await livekit.leave(sid);
    expect(await listed()).toEqual(['a']);
    await livekit.faults({ lists: { mode: 'unavailable' } });
    await expect(listed()).rejects.toMatchObject({ status: 503, code: 'unavailable' } satisfies Partial<ServerError>);
    await livekit.faults({ lists: { mode: 'live' } });
    expect(await listed()).toEqual([]);

    await livekit.connect({ room: 'r', identity: 'dead' });
    await livekit.loseNode();
    await livekit.faults({ lists: { source: 'redis' } });
    const [dead] = await api.listParticipants('r');
    expect(dead).toMatchObject({ identity: 'dead', state: 2 });
  });

  it('refuse connections, answer 503, or hang, for all methods or one', async () => {
    await livekit.faults({ api: { mode: 'refuse' } });
    await expect(listed()).rejects.toThrow('fetch failed');
    await livekit.faults({ api: { mode: 'unavailable' } });
    await expect(listed()).rejects.toMatchObject({ status: 503 });
    await livekit.faults({ api: { mode: 'hang', methods: ['ListParticipants'] } });
    await expect(listed()).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await api.listRooms(['r'])).toHaveLength(1);
    await livekit.clearFaults();
    expect(await listed()).toEqual([]);
  });

  it('include no unknown fault', async () => {
    await expect(livekit.faults({ webhooks: { lossrate: 1 } as never })).rejects.toThrow('unknown fault: webhooks.lossrate');
  });

  it('include a graceful stop: connections end, rooms are closed, and it restarts empty', async () => {
    await livekit.connect({ room: 'r', identity: 'a' });
    await livekit.stopNode(200);
    await expect(api.listRooms()).rejects.toThrow('fetch failed');
    await eventually(() => expect(events()).toEqual(['room_started', 'participant_joined a', 'participant_left a', 'room_finished']));
    await eventually(async () => expect(await api.listRooms()).toEqual([]));
    await expect(livekit.connect({ room: 'r', identity: 'a' })).rejects.toMatchObject({ status: 404 });
  });

  it('drop the undelivered webhooks of a node that died', async () => {
    inbox.answer = ({ event }) => (event === 'participant_joined' ? 500 : 200);
    await livekit.connect({ room: 'r', identity: 'a' });
    await eventually(() => expect(inbox.received.at(-1)?.status).toBe(500));
    await livekit.loseNode();
    // An attempt that was in progress may still arrive; no other is made.
    await settle();
    inbox.answer = () => 200;
    await settle(1_000);
    expect(events()).toEqual(['room_started']);
  });
});
