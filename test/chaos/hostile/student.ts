import { randomUUID } from 'node:crypto';
import { AT_ONCE, bearer, campaign, expectOutcomes, TIMES, type Attack, type HostileScene } from './scene.js';
import { forged, RedisWire } from './wire.js';

const REFUSED = '401 UNAUTHORIZED';
const FORBIDDEN = '403 FORBIDDEN';
const LIMITED = '429 RATE_LIMITED';
const QUESTION = '/v1/classroom/tutor/chat/stream';
/** What a person may do in class, and ask the tutor, in a minute. */
const [REQUESTS, QUESTIONS] = [600, 20];
const LARGE_QUESTIONS = 8;

/** What the teacher of a class may do. */
const OF_TEACHERS: { method: string; path: string; body?: object }[] = [
  { method: 'POST', path: '/v1/classroom/participants/teacher/remove' },
  { method: 'POST', path: '/v1/classroom/participants/teacher/mute' },
  { method: 'PATCH', path: '/v1/classroom/participants/hostile', body: { role: 'TEACHER' } },
  { method: 'POST', path: '/v1/classroom/participants/teacher/lower-hand' },
  { method: 'POST', path: '/v1/classroom/participants/hostile/speak', body: { allowed: true } },
  { method: 'POST', path: '/v1/classroom/mute-all' },
  { method: 'POST', path: '/v1/classroom/hands/lower-all' },
  { method: 'POST', path: '/v1/classroom/polls', body: { question: 'Ready?', options: ['Yes', 'No'] } },
  { method: 'PATCH', path: '/v1/classroom/room', body: { title: 'Mine' } },
  { method: 'POST', path: '/v1/classroom/end' },
];

async function studentOf(scene: HostileScene, role = 'STUDENT') {
  const school = await scene.school();
  const tokens = await scene.member(school, 'hostile', role);
  const from = scene.newAddress();
  const send = (call: Parameters<HostileScene['send']>[0]) => scene.send({ from, headers: bearer(tokens.classroom), ...call });
  return { school, send, from, ...tokens };
}

/** A participant with the tokens of a class. */
export const STUDENT: Record<string, Attack> = {
  'does what only teachers may, as a student and after it was demoted to one': async (scene) => {
    const { send } = await studentOf(scene);
    const demoted = await studentOf(scene, 'ADMIN');
    await demoted.school.api.patch(`/v1/room/${demoted.school.roomId}/participants/hostile`, { role: 'STUDENT' });
    for (const call of OF_TEACHERS)
      expect([call.path, (await send(call)).outcome, (await demoted.send(call)).outcome]).toEqual([call.path, FORBIDDEN, FORBIDDEN]);
  },

  'replays its tokens after it was removed': async (scene) => {
    const { school, send, join, classroom } = await studentOf(scene);
    await school.api.post(`/v1/room/${school.roomId}/participants/hostile/remove`);
    for (const token of [join, classroom])
      expect((await send({ method: 'POST', path: '/v1/classroom/session', headers: bearer(token) })).outcome).toBe(REFUSED);
    expect((await send({ path: '/v1/classroom/state' })).outcome).toBe(REFUSED);
    expect((await send({ method: 'POST', path: '/v1/classroom/chat', body: { text: 'Still here' } })).outcome).toBe(REFUSED);
  },

  'replays its join token: each session ends the one before': async (scene) => {
    const { send, join } = await studentOf(scene);
    const sessions: string[] = [];
    for (let n = 0; n < 10 * TIMES; n += 1) {
      const { body } = await send({ method: 'POST', path: '/v1/classroom/session', headers: bearer(join) });
      sessions.push(body.data.classroomToken);
    }
    const outcomeOf = async (token = '') => (await send({ path: '/v1/classroom/state', headers: bearer(token) })).outcome;
    expect(await outcomeOf(sessions.pop())).toBe('200');
    // After many of them, the address has to wait.
    for (const outcome of await Promise.all(sessions.map(outcomeOf))) expect([REFUSED, '429 RATE_LIMITED']).toContain(outcome);
  },

  'uses each of its tokens where another kind is needed': async (scene) => {
    const { send, school, join, media, classroom } = await studentOf(scene);
    const wrong: [string, string][] = [
      [join, 'GET /v1/classroom/state'],
      [media, 'GET /v1/classroom/state'],
      [media, 'POST /v1/classroom/session'],
      ...[join, media, classroom].flatMap((token): [string, string][] => [
        [token, `GET /v1/room/${school.roomId}/status`],
        [token, 'GET /v1/admin/organizations'],
        [token, 'GET /v1/dashboard/profile'],
      ]),
    ];
    for (const [token, route] of wrong) {
      const [method = '', path = ''] = route.split(' ');
      const headers = { ...bearer(token), 'VF-ORG-ID': token.replace(/\W/g, '').slice(0, 64), 'X-Dispatch-Secret': token };
      expect([route, (await send({ method, path, headers })).outcome]).toEqual([route, REFUSED]);
    }
  },

  'changes the claims of its token to another class, person or session': async (scene) => {
    const { send, classroom, join } = await studentOf(scene);
    for (const token of [classroom, join]) {
      const [head = '', payload = '', signature = ''] = token.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
      const sid = scene.neighbours[0]?.sid;
      const others = [
        { sid, video: { ...(claims['video'] as object), room: sid } },
        { sub: 'teacher' },
        { ses: 99 },
        { attributes: { role: 'ADMIN' } },
      ];
      for (const other of others) {
        const changed = Buffer.from(JSON.stringify({ ...claims, ...other })).toString('base64url');
        for (const bad of [`${head}.${changed}.${signature}`, forged({ ...claims, ...other }), forged({ ...claims, ...other }, signature)])
          expect((await send({ method: 'POST', path: '/v1/classroom/session', headers: bearer(bad) })).outcome).toBe(REFUSED);
      }
    }
  },

  'names people, polls and questions of other classes': async (scene) => {
    const { send } = await studentOf(scene, 'ADMIN');
    const other = await scene.school('canary school of another class');
    const { classroom } = await scene.member(other, 'canary-person', 'TEACHER');
    const poll = { question: 'Ready?', options: ['Yes', 'No'] };
    const { pollId } = (await other.api.bearer(classroom).post('/v1/classroom/polls', poll)).body.data as { pollId: string };
    const calls: [string, string, object?][] = [
      ['404 POLL_NOT_FOUND', `/v1/classroom/polls/${pollId}/vote`, { option: 0 }],
      ['404 POLL_NOT_FOUND', `/v1/classroom/polls/${pollId}/close`],
      ...['remove', 'mute', 'lower-hand'].map((verb): [string, string] => [
        '404 PARTICIPANT_NOT_FOUND',
        `/v1/classroom/participants/canary-person/${verb}`,
      ]),
      ['404 PARTICIPANT_NOT_FOUND', '/v1/classroom/participants/canary-person/speak', { allowed: true }],
      ['404 QUESTION_NOT_FOUND', `/v1/classroom/tutor/questions/${randomUUID()}/resolve`],
    ];
    for (const [outcome, path, body] of calls)
      expect([path, (await send({ method: 'POST', path, body })).outcome]).toEqual([path, outcome]);
  },

  'acts faster than a person can, and is limited': campaign(async (scene) => {
    const { send, from, classroom } = await studentOf(scene);
    const headers = bearer(classroom);
    const chat = await scene.flood(60, (n) => ({ method: 'POST', path: '/v1/classroom/chat', from, headers, body: { text: `${n}` } }));
    expectOutcomes(chat, '200', LIMITED);
    expect(chat['200']).toBeLessThanOrEqual(20);
    const others = await scene.flood(REQUESTS * TIMES, (n) => {
      if (n % 5 > 0) return { path: '/v1/classroom/state', from, headers };
      return { method: 'POST', path: '/v1/classroom/hand', from, headers, body: { raised: n % 2 === 0 } };
    });
    expectOutcomes(others, '200', LIMITED);
    expect(others['200']).toBeLessThan(REQUESTS);
    expect((await send({ path: '/v1/classroom/state' })).outcome).toBe(LIMITED);
  }),

  'sends many questions of 30 MB at once': campaign(async (scene) => {
    const { classroom, from } = await studentOf(scene);
    const counts = await scene.floodLarge(LARGE_QUESTIONS, () => ({ path: QUESTION, from, headers: bearer(classroom), mib: 30 }));
    // One is read at a time, and is too large once it is decoded.
    expectOutcomes(counts, '413 PAYLOAD_TOO_LARGE', LIMITED, 'cut off');
    expect(counts['413 PAYLOAD_TOO_LARGE']).toBeLessThan(LARGE_QUESTIONS);
  }),

  'opens many answers at once, and is limited': campaign(async (scene) => {
    const { classroom, from } = await studentOf(scene);
    const body = { text: 'What is a prime?' };
    const counts = await scene.flood(
      3 * QUESTIONS * TIMES,
      () => ({ method: 'POST', path: QUESTION, from, headers: bearer(classroom), body }),
      60,
    );
    expectOutcomes(counts, '200', '409 CHAT_BUSY', LIMITED);
    expect((counts['200'] ?? 0) + (counts['409 CHAT_BUSY'] ?? 0)).toBeLessThanOrEqual(QUESTIONS);
  }),

  'fills the stored answers with fresh Idempotency-Keys: what is limited is not stored': campaign(async (scene) => {
    const { classroom, from } = await studentOf(scene);
    const redis = await RedisWire.open(`${scene.stack.urls.redis}/2`);
    const kept = async () => (await redis.list('KEYS', 'kept:*')).length;
    const before = await kept();
    await scene.flood((REQUESTS + 2 * AT_ONCE) * TIMES, () => ({
      method: 'POST',
      path: '/v1/classroom/polls',
      from,
      headers: { ...bearer(classroom), 'Idempotency-Key': randomUUID() },
      body: { question: 'x'.repeat(1000), options: [] },
    }));
    // The budget of bytes a day is tested in apps/gateway/test/reply-cache.it.spec.ts.
    expect((await kept()) - before).toBeLessThanOrEqual(REQUESTS);
    redis.end();
  }),

  'sends text that is too long, unprintable or deep': async (scene) => {
    const { send } = await studentOf(scene);
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const raws = [
      JSON.stringify({ text: 'x'.repeat(2_001) }),
      JSON.stringify({ text: '\u0000' }),
      JSON.stringify({ text: '\u202e' }),
      '{"text":"\\ud800"}',
      `{"text":${deep}}`,
      deep,
      '{"text":"x"',
      JSON.stringify({ text: { toString: 'x' } }),
    ];
    for (const raw of raws) {
      const { outcome } = await send({ method: 'POST', path: '/v1/classroom/chat', raw });
      expect([raw.slice(0, 40), outcome]).toEqual([raw.slice(0, 40), '400 VALIDATION_FAILED']);
    }
    expect((await send({ path: '/v1/classroom/chat' })).body.data.messages).toEqual([]);
  },
};
