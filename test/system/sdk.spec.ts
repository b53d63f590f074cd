import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually, newOrganization, person, RtcParticipant, type RunningStack, sharedStack, WebhookReceiver } from '@classroom/testing';
import {
  type AnswerEvent,
  ConnectionError,
  hasCode,
  verifyWebhook,
  VirtualClassroom,
  VirtualClassroomError,
  WebhookVerificationError,
} from '../../libs/sdk/src/index.js';
import { EmptyFolder } from './sdk/empty-folder.js';
import { LostAnswers } from './sdk/lost-answers.js';
import { samplesIn } from './sdk/samples.js';

const README = readFileSync(join(__dirname, '..', '..', 'libs', 'sdk', 'README.md'), 'utf8');

/** Code that must compile, and with `@ts-expect-error` code that must not. */
const TYPES = `
import { hasCode, VirtualClassroom, verifyWebhook, type ErrorCode, type Data } from '@virtual-classroom/sdk';
const client = new VirtualClassroom({ baseUrl: 'https://classroom.example', apiKey: 'vc_live_1' });
// @ts-expect-error both credentials
new VirtualClassroom({ baseUrl: 'https://classroom.example', apiKey: 'vc_live_1', credential: 'vfo_1' });
// @ts-expect-error an unknown role
client.rooms.join('a', { participant: { uid: 'a', name: 'A', role: 'PUPIL' } });
// @ts-expect-error a missing title
client.rooms.create({ roomId: 'a', participant: { uid: 'a', name: 'A', role: 'TEACHER' } });
for await (const room of client.rooms.list({ status: 'live' })) room.participantCount satisfies number;
for await (const part of client.agent.stream({ chatId: 'a', message: 'b' })) if (part.type === 'text') part.text satisfies string;
const event = verifyWebhook('', {}, 'whsec_');
if (event.type === 'room.finished') event.data.totalSeconds satisfies number;
// @ts-expect-error not of every event
event.data.totalSeconds;
const refusal = (error: unknown) => hasCode(error, 'ROOM_ENDED') && (error.code satisfies 'ROOM_ENDED' & ErrorCode);
// @ts-expect-error no such code
hasCode(undefined, 'ROOM_LOST');
const rooms: Data<'listRooms'>['rooms'][number]['status'][] = ['created', 'live', 'finished'];
export { refusal, rooms };
`;

/** The TypeScript client against a running system. */
describe('the SDK', () => {
  let stack: RunningStack;
  let way: LostAnswers;
  let credential: string;
  let client: VirtualClassroom;

  beforeAll(async () => {
    stack = await sharedStack();
    way = await LostAnswers.before(stack.urls.gateway);
  });
  beforeEach(async () => {
    ({ value: credential } = await newOrganization(stack));
    client = new VirtualClassroom({ baseUrl: way.url, credential });
  });
  afterAll(async () => {
    await way?.close();
    await RtcParticipant.disposeAll();
  });

  const teacher = { ...person('teacher'), role: 'TEACHER' as const };
  const student = { ...person('ada'), role: 'STUDENT' as const };
  const newRoom = (title = 'Geometry') => client.rooms.create({ roomId: `room-${randomUUID()}`, title, participant: teacher });
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  async function gathered<T>(source: AsyncIterable<T>): Promise<T[]> {
    const all: T[] = [];
    for await (const it of source) all.push(it);
    return all;
  }

  it('runs a class, from its creation to its reports', async () => {
    const { room, token } = await newRoom();
    const { roomId } = room;
    const people = await Promise.all(
      [token, (await client.rooms.join(roomId, { participant: student })).token].map((it) =>
        RtcParticipant.connect(stack.urls.livekitPublic, it),
      ),
    );
    await eventually(async () =>
      expect(await client.rooms.status(roomId)).toMatchObject({ exists: true, isActive: true, participantCount: 2 }),
    );
    expect(await client.rooms.change(roomId, { title: 'Right triangles' })).toMatchObject({ title: 'Right triangles' });
    expect(
      (await gathered(client.rooms.participants.list(roomId, { limit: 1 }))).map(({ uid, isConnected }) => [uid, isConnected]),
    ).toEqual([
      ['ada', true],
      ['teacher', true],
    ]);
    expect(await client.rooms.participants.remove(roomId, 'ada')).toEqual({ uid: 'ada', wasConnected: true });
    expect(await client.rooms.end(roomId)).toMatchObject({ roomId });
    await Promise.all(people.map((it) => it.leave()));
    await eventually(async () =>
      expect((await client.rooms.attendance(roomId)).participants.map(({ uid }) => uid).sort()).toEqual(['ada', 'teacher']),
    );
    expect(await client.rooms.attendanceCsv(roomId)).toMatch(/ada.*STUDENT/);
    expect((await client.participants.sessions({ uid: 'ada' })).participant.uid).toBe('ada');
    expect((await client.billing.balance()).type).toBe('PREPAID');
  });

  it('iterates over a list of several pages', async () => {
    const made: string[] = [];
    for (const title of ['a', 'b', 'c', 'd', 'e']) made.unshift((await newRoom(title)).room.roomId);
    expect((await gathered(client.rooms.list({ limit: 2 }))).map(({ roomId }) => roomId)).toEqual(made);
    const page = await client.rooms.list({ limit: 3 }).page();
    expect(page.rooms.map(({ roomId }) => roomId)).toEqual(made.slice(0, 3));
    expect((await client.rooms.list({ limit: 3 }).page(page.nextCursor ?? '')).rooms.map(({ title }) => title)).toEqual(['b', 'a']);
  });

  it('reads the history in its order', async () => {
    const { room } = await newRoom();
    await client.rooms.end(room.roomId);
    const events = await eventually(async () => {
      const all = await gathered(client.events.list({ limit: 1 }));
      expect(all.map(({ type }) => type)).toEqual(['room.created', 'room.finished']);
      return all;
    });
    const [created] = await gathered(client.events.list({ types: ['room.created'] }));
    expect(created).toEqual(events[0]);
    expect(created?.type === 'room.created' && created.data.roomId).toBe(room.roomId);
    expect((await gathered(client.events.list({ after: String(created?.sequence) }))).map(({ type }) => type)).toEqual(['room.finished']);
  });

  it('registers a webhook endpoint, and verifies its webhooks', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const { endpointId, secret } = await client.webhookEndpoints.create({ url: receiver.url(), eventTypes: ['room.created'] });
      await client.webhookEndpoints.test(endpointId);
      const { room } = await newRoom();
      await eventually(() => expect(receiver.received).toHaveLength(2));
      const events = receiver.received.map(({ body, headers }) => verifyWebhook(body, headers, secret));
      expect(events.find(({ type }) => type === 'ping')?.data).toEqual({ endpointId });
      expect(events.find(({ type }) => type === 'room.created')?.data).toMatchObject({ roomId: room.roomId });
      const { secret: next } = await client.webhookEndpoints.rotateSecret(endpointId);
      expect(() => receiver.received.map(({ body, headers }) => verifyWebhook(body, headers, next))).toThrow(WebhookVerificationError);
      await eventually(async () =>
        expect((await gathered(client.webhookEndpoints.deliveries(endpointId, { limit: 1 }))).map(({ status }) => status)).toEqual([
          'delivered',
          'delivered',
        ]),
      );
    } finally {
      await receiver.stop();
    }
  });

  it('is limited to the scopes of an API key', async () => {
    const { secret, keyId } = await client.apiKeys.create({ name: 'Reports', scopes: ['rooms:read'] });
    const { room } = await newRoom();
    const reports = new VirtualClassroom({ baseUrl: way.url, apiKey: secret });
    expect((await gathered(reports.rooms.list())).map(({ roomId }) => roomId)).toEqual([room.roomId]);
    expect(hasCode(await failureOf(reports.rooms.end(room.roomId)), 'FORBIDDEN')).toBe(true);
    await client.apiKeys.revoke(keyId);
    await eventually(async () => expect(hasCode(await failureOf(reports.rooms.status(room.roomId)), 'UNAUTHORIZED')).toBe(true));
  });

  it('reports a refusal with its reason', async () => {
    const { room } = await newRoom();
    await client.rooms.end(room.roomId);
    const late = await failureOf(client.rooms.join(room.roomId, { participant: student }));
    expect(hasCode(late, 'ROOM_ENDED')).toBe(true);
    expect(late).toMatchObject({ status: 410, requestId: expect.stringMatching(/./) });
    const wrong = await failureOf(client.rooms.create({ roomId: 'no spaces', title: '', participant: teacher }));
    expect((wrong as VirtualClassroomError).details.map(({ path }) => path)).toEqual(['roomId', 'title']);
    const unknownClient = new VirtualClassroom({ baseUrl: way.url, credential: 'org_unknown00000' });
    expect(hasCode(await failureOf(gathered(unknownClient.rooms.list())), 'UNAUTHORIZED')).toBe(true);
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const unreachable = new VirtualClassroom({ baseUrl: `http://127.0.0.1:${port}`, credential, maxRetries: 0 });
    expect(await failureOf(unreachable.billing.balance())).toBeInstanceOf(ConnectionError);
  });

  it('creates one room if the connection breaks before the answer', async () => {
    way.lose(2);
    const { room } = await newRoom('Made once');
    const posts = way.passed.filter(({ path }) => path === '/v1/room/create');
    expect(posts).toHaveLength(3);
    expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect((await gathered(client.rooms.list({ title: 'Made once' }))).map(({ roomId }) => roomId)).toEqual([room.roomId]);
  });

  it('has one effect and one answer for many concurrent calls under one key', async () => {
    const { room } = await newRoom();
    const setContext = () =>
      client.rooms.setContext(room.roomId, { topic: 'Photosynthesis' }, { idempotencyKey: 'topic-of-today', maxRetries: 6 });
    const answers = await Promise.all(Array.from({ length: 10 }, setContext));
    // Otherwise each would have a different time.
    expect(new Set(answers.map(({ updatedAt }) => updatedAt)).size).toBe(1);
    expect(
      hasCode(
        await failureOf(client.rooms.setContext(room.roomId, { topic: 'Algebra' }, { idempotencyKey: 'topic-of-today' })),
        'IDEMPOTENCY_CONFLICT',
      ),
    ).toBe(true);
  });

  it('streams the answers of the agent and the tutor, part by part', async () => {
    const { room } = await newRoom();
    await client.rooms.setContext(room.roomId, {
      topic: 'Photosynthesis',
      notes: 'Chlorophyll absorbs red and blue light. Leaves are green because green light is reflected.',
    });
    const textOf = async (events: AsyncIterable<AnswerEvent>) => {
      const parts = await gathered(events);
      expect(parts.at(-1)).toEqual({ type: 'usage', usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) } });
      expect(parts.length).toBeGreaterThan(2);
      expect(parts.map(({ type }) => type)).not.toContain('audio');
      return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    };
    const question = { roomId: room.roomId, studentUid: 'ada', text: 'Which light does chlorophyll absorb?' };
    expect(await textOf(client.tutor.stream(question))).toContain('red and blue');
    expect((await client.tutor.chat(question)).text).toContain('red and blue');
    expect(await textOf(client.agent.stream({ chatId: 'parent-88', message: 'Bees collect nectar. Who collects nectar?' }))).toMatch(/\w/);
    expect(hasCode(await failureOf(gathered(client.tutor.stream({ ...question, roomId: 'nowhere' }))), 'ROOM_NOT_FOUND')).toBe(true);
  });

  it.each<[string, (stream: AsyncGenerator<AnswerEvent>, controller: AbortController) => Promise<unknown>]>([
    ['leaves it', async (stream) => stream.return(undefined)],
    [
      'has a signal fire',
      async (stream, controller) => (controller.abort(new Error('enough')), expect(gathered(stream)).rejects.toThrow('enough')),
    ],
  ])('closes a stream when its caller %s', async (_, leave) => {
    let isHungUp = false;
    // A response that never ends. The offline provider's answer would already have arrived completely.
    const endless = createServer((_request, response) => {
      response.once('close', () => (isHungUp = true));
      response.write('{"type":"text","text":"And"}\n');
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    try {
      const { port } = endless.address() as AddressInfo;
      const controller = new AbortController();
      const stream = new VirtualClassroom({ baseUrl: `http://127.0.0.1:${port}`, credential }).agent.stream(
        { chatId: 'a', message: 'b' },
        { signal: controller.signal },
      );
      expect(await stream.next()).toEqual({ done: false, value: { type: 'text', text: 'And' } });
      await leave(stream, controller);
      await eventually(() => expect(isHungUp).toBe(true));
    } finally {
      endless.closeAllConnections();
      endless.close();
    }
  });

  describe('in an empty folder', () => {
    let folder: EmptyFolder;
    beforeAll(async () => void (folder = await EmptyFolder.with('sdk')));
    afterAll(() => folder?.remove());

    it('runs its quick start', async () => {
      const [, quickStart = ''] = /In `quick-start\.mjs`[\s\S]*?```js\n([\s\S]*?)```/.exec(README) ?? [];
      const printed = await folder.node('quick-start.mjs', quickStart, {
        CLASSROOM_URL: stack.urls.gateway,
        CLASSROOM_CREDENTIAL: credential,
      });
      const [joins = '', listed = '', ...rest] = printed.trim().split('\n');
      expect(joins).toMatch(/^The teacher joins at http.*\/r\/RM_\w+#token=/);
      expect(listed).toMatch(/^geometry-\d+ created$/);
      expect(rest).toEqual([]);
      expect((await gathered(client.rooms.list())).map(({ status }) => status)).toEqual(['finished']);
    });

    it('has types for its whole interface', async () => {
      expect(await folder.typeErrorsOf('types.mts', TYPES)).toEqual([]);
    });

    it('has every method of the reference’s samples, with their types', async () => {
      const samples = samplesIn('TypeScript');
      expect(samples.length).toBeGreaterThan(60);
      const head = `import { AdminClient, VirtualClassroom } from '@virtual-classroom/sdk';\ndeclare const classroom: VirtualClassroom;\ndeclare const admin: AdminClient;\n`;
      expect(await folder.typeErrorsOf('samples.mts', `${head}${samples.map((source) => `{\n${source}\n}\n`).join('')}`)).toEqual([]);
    });
  });
});
