import { Announcer, Connections } from './connections.js';
import { EventLog } from './event-log.js';
import { SimulatedNode } from './node.js';
import { Pace } from './pace.js';
import { SeededRandom } from './random.js';
import type { Claims } from './tokens.js';
import { Truth } from './truth.js';
import type { WebhookNotifier } from './webhooks/notifier.js';

function simulate(timeScale = 1) {
  const events: string[] = [];
  const notifier = {
    notify: (message) => {
      const who = message.participant ? ` ${message.participant.identity} ${message.participant.state}` : '';
      events.push(`${message.event}${who}`);
      return true;
    },
    forget: () => undefined,
  } as Pick<WebhookNotifier, 'notify' | 'forget'> as WebhookNotifier;
  const pace = new Pace(timeScale);
  const log = new EventLog();
  const announcer = new Announcer([notifier], log);
  const truth = new Truth();
  const connections = new Connections(pace, truth, announcer, log);
  return { events, truth, connections, node: new SimulatedNode(pace, connections, announcer, new SeededRandom(1)) };
}

const claims = (identity: string, more: Partial<Claims> = {}): Claims => ({
  sub: identity,
  video: { roomJoin: true, room: 'r' },
  ...more,
});

describe('SimulatedNode', () => {
  beforeEach(() => void jest.useFakeTimers({ now: 1_700_000_000_000 }));
  afterEach(() => void jest.useRealTimers());

  it('closes an unused room after emptyTimeout, and an empty one after departureTimeout', async () => {
    const { node, connections, events } = simulate();
    await node.createRoom('r', { emptyTimeout: 10, departureTimeout: 3 });
    await jest.advanceTimersByTimeAsync(9_000);
    node.sweep();
    const { sid } = await node.join(claims('a'));
    await jest.advanceTimersByTimeAsync(60_000);
    node.sweep();
    connections.leave(sid);
    await jest.advanceTimersByTimeAsync(2_999);
    node.sweep();
    expect(node.rooms.size).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    node.sweep();
    expect(events).toEqual(['room_started', 'participant_joined a ACTIVE', 'participant_left a DISCONNECTED', 'room_finished']);
  });

  it('runs twenty seconds in two at a time scale of ten', async () => {
    const { node, connections, events } = simulate(10);
    await node.createRoom('r', {});
    connections.crash((await node.join(claims('a'))).sid);
    await jest.advanceTimersByTimeAsync(1_999);
    expect(events).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(events.at(-1)).toBe('participant_left a DISCONNECTED');
  });

  it('does not report a crash that was resumed in time, and does not record it in the truth', async () => {
    const { node, connections, truth, events } = simulate();
    await node.createRoom('r', {});
    const { sid } = await node.join(claims('a'));
    connections.crash(sid);
    await jest.advanceTimersByTimeAsync(10_000);
    connections.resume(sid);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(events).toEqual(['room_started', 'participant_joined a ACTIVE']);
    expect(truth.list()[0]?.disconnectedAt).toBeUndefined();
  });

  it('reports aborted if the media never started, and can send a late joined after it', async () => {
    const { node, connections, events } = simulate();
    await node.createRoom('r', {});
    await node.join(claims('slow'), { activeAfterMs: null });
    const raced = await node.join(claims('raced'), { activeAfterMs: null });
    connections.leaveDuringActivation(raced.sid);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(events.slice(1)).toEqual([
      'participant_connection_aborted raced DISCONNECTED',
      'participant_joined raced DISCONNECTED',
      'participant_connection_aborted slow DISCONNECTED',
    ]);
  });

  it('sends nothing when it dies, and creates the room again without participants after the dead node is removed', async () => {
    const { node, truth, events } = simulate();
    const { sid } = await node.createRoom('r', { metadata: 'old' });
    await node.join(claims('a'));
    node.lose(0);
    expect(truth.list()[0]?.reason).toBe('NODE_LOST');
    const tooEarly = expect(node.createRoom('r', {})).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    await jest.advanceTimersByTimeAsync(5_000);
    await tooEarly;
    const again = await node.createRoom('r', { metadata: 'new' });
    expect([again.sid, again.metadata, again.participants.size]).toEqual([sid, 'new', 0]);
    expect(events).toEqual(['room_started', 'participant_joined a ACTIVE', 'room_started']);
    // The dead participants are still in the Redis hash.
    expect([...again.recorded.keys()]).toEqual(['a']);
  });
});
