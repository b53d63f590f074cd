import { randomUUID } from 'node:crypto';
import { type Answer, eventually, expectPresenceInvariants, expectTruth, inLongForm, liveKitRoomNames, person } from '@classroom/testing';
import { CLASS_APPS, startChaosStack, type ChaosStack } from './support.js';

/** The sweep resumes a creation that is not retried 15 s after it began; LiveKit delivers a webhook again after 15 s. */
const RESUMED_MS = 90_000;
const CREATE_FAILPOINTS = ['room.create.after-reserve', 'room.create.after-livekit', 'room.create.after-commit'];
const WEBHOOK_FAILPOINTS = ['room.webhook.before-transaction', 'room.webhook.before-commit', 'room.webhook.after-commit'];

describe('a kill of the room service', () => {
  let chaos: ChaosStack;
  beforeAll(async () => {
    chaos = await startChaosStack({ apps: CLASS_APPS });
  });
  afterEach(() => expectPresenceInvariants(chaos.stack));
  afterAll(() => chaos?.stop());

  /** Starts the service so that it crashes at `failpoint`, triggers that with `provoke`, and waits for the crash. @returns what `provoke` started */
  async function crashAt<T>(failpoint: string, provoke: () => Promise<T>): Promise<{ provoked: Promise<T> }> {
    const room = chaos.stack.app('room');
    await room.stop();
    await room.start({ FAILPOINTS: `${failpoint}=crash` });
    const provoked = provoke();
    expect((await room.exited).signal).toBe('SIGKILL');
    return { provoked };
  }

  inLongForm(it)(
    'at each step of a creation lets a retry with the key find the same room, and loses no roomId',
    async () => {
      const { stack, api } = chaos;
      const attempts: { roomId: string; key: string | undefined; first: Promise<Answer> }[] = [];
      const create = ({ roomId, key }: { roomId: string; key: string | undefined }) =>
        api.post('/v1/room/create', { roomId, title: 'Algebra', participant: person('teacher') }, key ? { 'idempotency-key': key } : {});
      for (const failpoint of CREATE_FAILPOINTS) {
        for (const key of [randomUUID(), undefined]) {
          const roomId = `room-${randomUUID()}`;
          const { provoked } = await crashAt(failpoint, () => create({ roomId, key }));
          attempts.push({ roomId, key, first: provoked });
        }
      }
      await stack.app('room').start();

      for (const { roomId, key, first } of attempts) {
        expect((await first).body).toMatchObject({ success: false, error: 'SERVICE_UNAVAILABLE' });
        const [reserved] = await stack.rows<{ sid: string }>('SELECT sid FROM room.rooms WHERE room_id = $1', [roomId]);
        if (key) {
          const again = await create({ roomId, key });
          expect(again.status).toBe(200);
          expect(again.body.data.room).toEqual({ roomId, sid: reserved?.sid });
          const third = await create({ roomId, key });
          expect(third.body.data.room.sid).toBe(reserved?.sid);
        }
      }
      for (const { roomId, key } of attempts) {
        await eventually(async () => {
          const status = await api.get(`/v1/room/${roomId}/status`);
          expect(status.body.data.exists || (await create({ roomId, key })).status === 200).toBe(true);
        }, RESUMED_MS);
      }
      for (const { roomId } of attempts) {
        const rows = await stack.rows<{ state: string }>(`SELECT state FROM room.rooms WHERE room_id = $1 AND state <> 'abandoned'`, [
          roomId,
        ]);
        expect(rows).toEqual([{ state: 'created' }]);
        expect((await api.post(`/v1/room/${roomId}/join`, { participant: person('student', 'STUDENT') })).status).toBe(200);
      }
      await eventually(async () => {
        const wanted = await stack.rows<{ sid: string }>(
          `SELECT sid FROM room.rooms WHERE media = 'open' AND state IN ('created', 'live') ORDER BY sid COLLATE "C"`,
        );
        expect(await liveKitRoomNames(stack)).toEqual(wanted.map(({ sid }) => sid));
      });
      // Each was published once.
      const facts = await stack.rows<{ count: number }>(
        `SELECT count(*)::int AS count FROM room.outbox WHERE subject LIKE 'evt.room.room.created.%' GROUP BY body::json->'data'->>'sid'`,
      );
      expect(facts).toEqual(attempts.map(() => ({ count: 1 })));
    },
    90_000,
  );

  it('at each step of a webhook lets it take effect exactly once', async () => {
    const { stack, livekit, api } = chaos;
    const created = await api.post('/v1/room/create', { roomId: `room-${randomUUID()}`, title: 'A', participant: person('teacher') });
    const { sid } = created.body.data.room as { sid: string };
    // Participant lists are unavailable, so that presence is known only from webhooks.
    await livekit.faults({ api: { mode: 'unavailable', methods: ['ListParticipants'] } });
    const steady = await livekit.connect({ room: sid, identity: 'steady' });
    await eventually(() => expectTruth(stack, livekit, sid));
    for (const [n, failpoint] of WEBHOOK_FAILPOINTS.entries()) {
      await crashAt(failpoint, () => livekit.connect({ room: sid, identity: `joins-${n}` }));
    }
    await crashAt('room.webhook.before-commit', () => livekit.leave(steady.sid));
    await stack.app('room').start();
    await eventually(() => expectTruth(stack, livekit, sid), RESUMED_MS);
    await expectPresenceInvariants(stack);

    // Three joined, one joined and left: five changes, so five versions and five facts. The inbox has one row per event.
    const [room] = await stack.rows<{ version: number }>('SELECT version::int FROM room.rooms WHERE sid = $1', [sid]);
    expect(room).toEqual({ version: 5 });
    const facts = await stack.rows<{ version: number }>(
      `SELECT (body::json->'data'->>'version')::int AS version FROM room.outbox
        WHERE subject LIKE 'evt.room.participant.connection.%' AND body::json->>'subject' = $1 ORDER BY 1`,
      [sid],
    );
    expect(facts.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    const started = await stack.rows(
      `SELECT 1 FROM room.outbox WHERE subject LIKE 'evt.room.room.started.%' AND body::json->>'subject' = $1`,
      [sid],
    );
    expect(started).toHaveLength(1);
    await livekit.clearFaults();
  });
});
