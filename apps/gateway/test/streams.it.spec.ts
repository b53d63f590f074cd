import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import {
  agentChat,
  agentChatStream,
  agentRpc,
  AppError,
  askTutorInClass,
  billingRpc,
  getAttendance,
  getParticipantSessions,
  tutorChat,
  tutorChatStream,
  tutorRpc,
  type AiEvent,
  interactionRpc,
  listRoomChat,
} from '@classroom/contracts';
import type { TextSource } from '@classroom/messaging';
import { Bucket, eventually, type ApiClient } from '@classroom/testing';
import { GatewayFixture, SCHOOL, valueOf } from './support/gateway-fixture.js';

const KIB = 1024;
const MIB = KIB * KIB;
const { organizationId } = SCHOOL;
const QUESTION = {
  roomId: 'geometry-7b',
  studentUid: 'student-731',
  organizationId: valueOf(organizationId),
  text: 'What is a hypotenuse?',
};
const CHAT = { chatId: 'parent-88', message: 'When?' };
const AUDIO = Buffer.from('RIFF sound');
const STORED = /^ai-inputs\/[0-9a-f]{24}\/[0-9a-f-]{36}$/;

const BEGUN: AiEvent = {
  type: 'begun',
  provider: 'offline',
  model: 'm',
  dialogIndex: 3,
  requestModality: 'text',
  responseModality: 'both',
  questionId: 'q',
};
const USAGE: AiEvent = { type: 'usage', usage: { inputTokens: 12, outputTokens: 5, latencyMs: 340 } };
const SPEECH: AiEvent = { type: 'audio', audio: 'UklGRg==', mimeType: 'audio/wav' };
const ANSWER: AiEvent[] = [BEGUN, { type: 'text', text: 'The longest ' }, { type: 'text', text: 'side.' }, SPEECH, USAGE];
const lineOf = (event: AiEvent) => `${JSON.stringify(event)}\n`;

/** Answers that arrive as a stream from a service: CSV files and the answers of models; bodies that are not read. */
describe('the gateway', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start();
  });
  beforeEach(() => gateway.reset());
  afterAll(() => gateway?.stop());

  type Model = typeof agentRpc.chat | typeof tutorRpc.chat | typeof tutorRpc.ask;
  /** The model answers with these events, then fails if there is an error. */
  const model = <C extends Model>(contract: C, events: AiEvent[] = ANSWER, failure?: AppError) =>
    gateway.stream(contract, async function* () {
      for (const event of events) yield lineOf(event);
      if (failure) throw failure;
    });
  const post = (path: string, body: object, api: ApiClient = gateway.backend) => api.post(path, body);
  const STREAM_HEADERS = { 'x-ai-provider': 'offline', 'x-accel-buffering': 'no', 'cache-control': 'no-cache' };

  describe('returns the whole answer', () => {
    it('of the agent', async () => {
      const inputs = model(agentRpc.chat);
      const { status, body, headers } = await post(agentChat.path, CHAT);
      const usage = { inputTokens: 12, outputTokens: 5, latencyMs: 340 };
      expect([status, body]).toEqual([200, { success: true, text: 'The longest side.', audio: 'UklGRg==', dialogIndex: 3, usage }]);
      expect(headers.get('x-ai-provider')).toBe('offline');
      const inbox = expect.any(String) as unknown;
      expect(inputs).toEqual([{ ...CHAT, organizationId, isWhole: true, responseModality: 'both', inbox }]);
    });

    it('of the agent in the requested form', async () => {
      const inputs = model(agentRpc.chat);
      await post(agentChat.path, { ...CHAT, responseModality: 'audio', voiceName: 'German' });
      await post(agentChat.path, { ...CHAT, responseModality: 'audio', responseType: 'text' });
      expect(inputs).toMatchObject([{ responseModality: 'audio', voiceName: 'German' }, { responseModality: 'text' }]);
    });

    it('of the tutor', async () => {
      const inputs = model(tutorRpc.chat, [{ ...BEGUN, message: 'No audio.' }, ...ANSWER.slice(1, 3), USAGE]);
      const { status, body, headers } = await post(tutorChat.path, QUESTION);
      const usage = { inputTokens: 12, outputTokens: 5 };
      const form = { requestModality: 'text', responseModality: 'both' };
      expect([status, body]).toEqual([200, { success: true, message: 'No audio.', text: 'The longest side.', usage, ...form }]);
      expect(headers.get('x-ai-provider')).toBe('offline');
      expect(inputs).toEqual([
        { ...QUESTION, organizationId, isWhole: true, responseModality: 'text', inbox: expect.any(String) as unknown },
      ]);
    });
  });

  describe('streams the answer', () => {
    it('of the agent as lines', async () => {
      const inputs = model(agentRpc.chat);
      const { status, text: lines, headers } = await post(agentChatStream.path, CHAT);
      expect([status, Object.fromEntries(headers)]).toMatchObject([200, { ...STREAM_HEADERS, 'content-type': 'application/x-ndjson' }]);
      const usage = { type: 'usage', usage: { inputTokens: 12, outputTokens: 5 } };
      expect(
        lines
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual([{ type: 'text', text: '', responseModality: 'both' }, ...ANSWER.slice(1, 4), usage, { type: 'done' }]);
      expect(inputs).toMatchObject([{ ...CHAT, organizationId, isWhole: false, responseModality: 'both' }]);
    });

    it.each<[string, string, typeof tutorRpc.chat | typeof tutorRpc.ask, object, object]>([
      ['of the tutor', tutorChatStream.path, tutorRpc.chat, QUESTION, { text: '', usage: null, responseModality: 'both' }],
      [
        'of the tutor in class',
        askTutorInClass.path,
        tutorRpc.ask,
        { text: QUESTION.text },
        { text: '', usage: null, questionId: 'q', provider: 'offline' },
      ],
    ])('%s as events', async (_, path, contract, body, first) => {
      const { api, caller } = gateway.participant();
      const isInClass = contract === tutorRpc.ask;
      const inputs = model(contract);
      const { status, text: events, headers } = await post(path, body, isInClass ? api : gateway.backend);
      expect([status, Object.fromEntries(headers)]).toMatchObject([200, { ...STREAM_HEADERS, 'content-type': 'text/event-stream' }]);
      const expected = [
        first,
        ...['The longest ', 'side.'].map((part) => ({ text: part, usage: null })),
        { text: '', audio: 'UklGRg==', mimeType: 'audio/wav', usage: null },
        { usage: { inputTokens: 12, outputTokens: 5 } },
      ];
      expect(events).toBe(`${expected.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`);
      expect(inputs).toMatchObject([
        { ...body, ...(isInClass ? { caller } : { organizationId }), isWhole: false, responseModality: 'text' },
      ]);
    });
  });

  it('rejects a question to the tutor of another organization', async () => {
    const inputs = model(tutorRpc.chat);
    for (const { path } of [tutorChat, tutorChatStream]) {
      expect((await post(path, { ...QUESTION, organizationId: 'org_other' })).status).toBe(401);
    }
    expect(inputs).toEqual([]);
  });

  it('limits the questions of a person in class', async () => {
    model(tutorRpc.ask, [BEGUN, USAGE]);
    const { api } = gateway.participant();
    const ask = async () => {
      const { status, headers } = await post(askTutorInClass.path, { text: 'Why?' }, api);
      return [status, headers.get('ratelimit-policy')];
    };
    const policy = '"questions";q=20;w=60';
    expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array.from({ length: 20 }, () => [200, policy]));
    expect(await ask()).toEqual([429, policy]);
  });

  describe('reports the failure of a model', () => {
    const CASES: [string, typeof agentRpc.chat | typeof tutorRpc.chat, string, string, object][] = [
      ['whole, of the agent', agentRpc.chat, agentChat.path, '', CHAT],
      ['as lines', agentRpc.chat, agentChatStream.path, '{"type":"error","error":"AI_UNAVAILABLE","message":"Broken"}\n', CHAT],
      [
        'as events',
        tutorRpc.chat,
        tutorChatStream.path,
        'data: {"error":"AI_UNAVAILABLE","message":"Broken"}\n\ndata: [DONE]\n\n',
        QUESTION,
      ],
    ];
    const broken = new AppError('AI_UNAVAILABLE', { message: 'Broken' });

    it.each(CASES)('before it begins by the status: %s', async (_, contract, path, __, body) => {
      for (const [failure, status] of [
        [broken, 503],
        [new AppError('CHAT_BUSY'), 409],
      ] as const) {
        model(contract, [], failure);
        const answer = await post(path, body);
        expect([answer.status, answer.body]).toMatchObject([status, { success: false, error: failure.code, message: failure.message }]);
      }
      gateway.answer(contract, () => {
        throw new AppError('INSUFFICIENT_CREDITS');
      });
      expect((await post(path, body)).status).toBe(402);
    });

    it.each(CASES)('after it began by its last event: %s', async (_, contract, path, end, body) => {
      model(contract, ANSWER.slice(0, 2), broken);
      const { status, body: refusal, text: events } = await post(path, body);
      if (end === '') expect([status, refusal.error]).toEqual([503, 'AI_UNAVAILABLE']);
      else expect([status, events.endsWith(end), events.includes('The longest ')]).toEqual([200, true, true]);
    });

    it.each<[string, string]>([
      ['does not begin', lineOf(USAGE)],
      ['is empty', ''],
      ['is not JSON', 'hello\n'],
      ['is of an unknown type', '{"type":"other"}\n'],
    ])('whose answer %s', async (_, lines) => {
      gateway.stream(agentRpc.chat, async function* () {
        if (lines) yield lines;
      });
      for (const { path } of [agentChat, agentChatStream]) {
        const { status, body } = await post(path, CHAT);
        expect([status, body]).toMatchObject([
          500,
          { error: 'INTERNAL_ERROR', message: 'The AI service gave an answer that cannot be read' },
        ]);
      }
    });
  });

  describe('stores audio and images', () => {
    const audio = AUDIO.toString('base64');

    it('for the AI service, which gets their keys', async () => {
      const chats = model(agentRpc.chat);
      await post(agentChat.path, { ...CHAT, audio, image: Buffer.from('picture!').toString('base64'), imageMimeType: 'image/png' });
      const questions = [model(tutorRpc.chat), model(tutorRpc.ask)];
      await post(tutorChat.path, { ...QUESTION, text: undefined, audio });
      await post(askTutorInClass.path, { audio }, gateway.participant().api);
      const key = expect.stringMatching(STORED) as unknown;
      expect(chats).toMatchObject([{ audio: { key }, image: { key, mimeType: 'image/png' } }]);
      expect(questions).toMatchObject([[{ audio: { key } }], [{ audio: { key } }]]);
      const sizes = await Bucket.of(gateway.stack).list('ai-inputs/');
      const [chat] = chats;
      expect([sizes.get(chat?.audio?.key ?? ''), sizes.get(chat?.image?.key ?? ''), sizes.size]).toEqual([AUDIO.length, 8, 4]);
    });

    it('only if all of them are valid', async () => {
      const inputs = model(agentRpc.chat);
      const before = await Bucket.of(gateway.stack).list('ai-inputs/');
      const { status, body } = await post(agentChat.path, { ...CHAT, audio, image: 'no base64', imageMimeType: 'image/png' });
      expect([status, body.details, inputs]).toEqual([400, [{ path: 'image', message: 'must be base64' }], []]);
      expect(await Bucket.of(gateway.stack).list('ai-inputs/')).toEqual(before);
    });
  });

  describe('passes a CSV file on', () => {
    const CSV = 'uid,name\nada,"Ada"\n';
    type Contract = typeof billingRpc.exportSessions | typeof billingRpc.exportAttendance | typeof interactionRpc.exportChat;
    const csv = (contract: Contract, parts: string[], failure?: AppError) =>
      gateway.stream(contract, async function* () {
        yield* parts;
        if (failure) throw failure;
      });
    const attendance = `${getAttendance.path.replace(':roomId', 'geometry-7b')}?export=csv`;
    const chat = `${listRoomChat.path.replace(':roomId', 'geometry-7b')}?export=csv`;

    it('of sessions, attendance or the chat, whole', async () => {
      const long = Array.from({ length: 40 }, () => 'x'.repeat(50_000));
      const inputs = [
        csv(billingRpc.exportSessions, [CSV.slice(0, 5), CSV.slice(5)]),
        csv(billingRpc.exportAttendance, long),
        csv(interactionRpc.exportChat, [CSV]),
      ];
      const answers = [
        await post(getParticipantSessions.path, { uid: 'ada', roomId: 'geometry-7b', export: 'csv' }),
        await gateway.backend.get(attendance),
        await gateway.backend.get(`${chat}&format=table`),
      ];
      expect(answers.map(({ status, headers }) => [status, headers.get('content-type'), headers.get('content-disposition')])).toEqual([
        [200, 'text/csv; charset=utf-8', 'attachment; filename="participant-sessions.csv"'],
        [200, 'text/csv; charset=utf-8', 'attachment; filename="attendance.csv"'],
        [200, 'text/csv; charset=utf-8', 'attachment; filename="chat.csv"'],
      ]);
      expect([answers[0]?.text, answers[1]?.text === long.join(''), answers[2]?.text]).toEqual([CSV, true, CSV]);
      const room = { organizationId, roomId: 'geometry-7b', inbox: expect.any(String) as unknown };
      expect(inputs).toMatchObject([[{ ...room, uid: 'ada', page: 1, limit: 10 }], [room], [{ ...room, isTable: true }]]);
    });

    it('with a byte order mark, if it is asked for', async () => {
      csv(billingRpc.exportSessions, [CSV]);
      csv(billingRpc.exportAttendance, [CSV]);
      csv(interactionRpc.exportChat, [CSV]);
      const headers = { 'vf-org-id': valueOf(organizationId), 'content-type': 'application/json' };
      const markOf = async (path: string, init?: RequestInit) => {
        const answer = await fetch(`${gateway.stack.urls.gateway}${path}`, { ...init, headers });
        return [
          answer.status,
          Buffer.from(await answer.arrayBuffer())
            .subarray(0, 3)
            .toString('hex'),
        ];
      };
      const sessions = { uid: 'ada', export: 'csv' };
      const bodyOf = (body: object) => ({ method: 'POST', body: JSON.stringify(body) });
      const mark = [200, 'efbbbf'];
      expect(await markOf(`${attendance}&bom=true`)).toEqual(mark);
      expect(await markOf(`${chat}&bom=true`)).toEqual(mark);
      expect(await markOf(getParticipantSessions.path, bodyOf({ ...sessions, bom: true }))).toEqual(mark);
      for (const path of [attendance, `${attendance}&bom=false`, chat]) expect(await markOf(path)).not.toEqual(mark);
      expect(await markOf(getParticipantSessions.path, bodyOf(sessions))).not.toEqual(mark);
      expect((await gateway.backend.get(`${attendance}&bom=yes`)).body.details).toMatchObject([{ path: 'bom' }]);
    });

    it('that is empty', async () => {
      csv(billingRpc.exportAttendance, []);
      const { status, text: file } = await gateway.backend.get(attendance);
      expect([status, file]).toEqual([200, '']);
    });

    it('unless it fails before its first byte', async () => {
      csv(billingRpc.exportAttendance, [], new AppError('ROOM_NOT_FOUND'));
      const { status, body } = await gateway.backend.get(attendance);
      expect([status, body.error]).toEqual([404, 'ROOM_NOT_FOUND']);
    });
  });

  describe('ends the source when its client disconnects', () => {
    interface Source {
      inputs: object[];
      isEnded: boolean;
    }
    /** Answers with what `send` yields and observes the end of the source. */
    function sourceOf(contract: typeof agentRpc.chat | typeof billingRpc.exportSessions, send: TextSource): Source {
      const source: Source = { inputs: [], isEnded: false };
      source.inputs = gateway.stream(contract, async function* (signal) {
        try {
          yield* send(signal);
        } finally {
          source.isEnded = true;
        }
      });
      return source;
    }
    /** A model that sends these lines and no more. */
    const modelThatStops = (...events: AiEvent[]) =>
      sourceOf(agentRpc.chat, async function* (signal) {
        for (const event of events) yield lineOf(event);
        if (!signal.aborted) await once(signal, 'abort');
      });
    const begin = (path: string, body: object) => {
      const headers = { 'vf-org-id': valueOf(organizationId), 'content-type': 'application/json' };
      const sending = request(`${gateway.stack.urls.gateway}${path}`, { method: 'POST', headers });
      sending.on('error', () => undefined).end(JSON.stringify(body));
      return sending;
    };

    async function leaveDuring(source: Source, path: string, body: object): Promise<void> {
      const sending = begin(path, body);
      const [reply] = (await once(sending, 'response')) as [IncomingMessage];
      await once(
        reply.on('error', () => undefined),
        'data',
      );
      expect(source.isEnded).toBe(false);
      sending.destroy();
      await eventually(() => expect(source.isEnded).toBe(true));
    }

    it('during a stream', () => leaveDuring(modelThatStops(...ANSWER.slice(0, 2)), agentChatStream.path, CHAT));

    it('during a file', async () => {
      const endless = sourceOf(billingRpc.exportSessions, async function* () {
        for (;;) yield 'x'.repeat(10 * KIB);
      });
      await leaveDuring(endless, getParticipantSessions.path, { uid: 'ada', export: 'csv' });
    });

    it.each([
      ['before the first token', agentChatStream.path, []],
      ['before the end of a whole answer', agentChat.path, [BEGUN]],
    ])('%s', async (_, path, events) => {
      const source = modelThatStops(...events);
      const sending = begin(path, CHAT);
      await eventually(() => expect(source.inputs).toHaveLength(1));
      sending.destroy();
      await eventually(() => expect(source.isEnded).toBe(true));
    });
  });

  describe('discards a body that nothing reads', () => {
    /** Sends a request without a credential and with a body of this size, and another request after it, on one connection. */
    async function statusesAfter(bytes: number): Promise<string[]> {
      const { hostname, port } = new URL(gateway.stack.urls.gateway);
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      // The gateway resets the connection, so the answers are collected as they arrive.
      let answers = '';
      socket.on('data', (chunk) => (answers += String(chunk)));
      socket.write(`POST /v1/room/create HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`);
      socket.write(Buffer.alloc(bytes));
      socket.write('GET /v1/nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      await new Promise((resolve) => socket.once('close', resolve));
      return [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);
    }

    it('up to 2 MiB, and then closes the connection', async () => {
      expect(await Promise.all([100, 2 * MIB, 2 * MIB + 1].map(statusesAfter))).toEqual([['401', '404'], ['401', '404'], ['401']]);
    });
  });
});
