import { ClassroomRefusal } from './refusal.js';
import type { ClassroomSession } from './responses.js';
import { SessionClient } from './session-client.js';

interface RecordedRequest {
  url: string;
  method: string;
  authorization: string;
}

const session = (classroomToken: string, expiresAt: string) => ({ classroomToken, expiresAt }) as ClassroomSession;

describe('a session with the service', () => {
  const original = globalThis.fetch;
  afterEach(() => void (globalThis.fetch = original));

  /** A service that gives these answers in order. */
  function service(...answers: (Response | Error)[]): RecordedRequest[] {
    const requests: RecordedRequest[] = [];
    globalThis.fetch = async (url, init) => {
      requests.push({
        url: String(url),
        method: init?.method ?? 'GET',
        authorization: new Headers(init?.headers).get('authorization') ?? '',
      });
      const answer = answers.shift();
      if (!answer || answer instanceof Error) throw answer ?? new Error('nothing more');
      return answer;
    };
    return requests;
  }
  const data = (value: unknown, headers = {}) => Response.json({ success: true, data: value }, { headers });
  const client = () => new SessionClient({ gatewayUrl: 'https://api.example/', token: 'join' });

  it('is opened with the join token and renewed with the classroom token', async () => {
    const requests = service(data(session('first', '')), data(session('second', '')), data({ base: 7, version: 8 }));
    const sessions = client();
    await sessions.open();
    await sessions.renew();
    expect(await sessions.state(7)).toEqual({ base: 7, version: 8 });
    expect(requests).toEqual([
      { url: 'https://api.example/v1/classroom/session', method: 'POST', authorization: 'Bearer join' },
      { url: 'https://api.example/v1/classroom/session', method: 'POST', authorization: 'Bearer first' },
      { url: 'https://api.example/v1/classroom/state?after=7', method: 'GET', authorization: 'Bearer second' },
    ]);
  });

  it('is renewed at half of its lifetime by the server’s clock, however wrong ours is', async () => {
    const serverNow = Date.now() + 86_400_000;
    const inMinutes = (minutes: number) => new Date(serverNow + minutes * 60_000).toISOString();
    const halfLifeOf = async (expiresAt: string, headers: object) => {
      service(data(session('t', expiresAt), headers));
      const sessions = client();
      await sessions.open();
      return Math.round(sessions.renewAfterMs / 60_000);
    };
    const date = { date: new Date(serverNow).toUTCString() };
    expect(await halfLifeOf(inMinutes(20), date)).toBe(10);
    expect(await halfLifeOf(inMinutes(600), date)).toBe(30);
    expect(await halfLifeOf(inMinutes(20), {})).toBe(30);
    expect(await halfLifeOf(inMinutes(-3000), {})).toBe(1);
  });

  it('is refused with the service’s message', async () => {
    const error = {
      success: false,
      message: 'The room has ended',
      error: 'ROOM_ENDED',
      details: [{ path: 'reason', message: 'class_ended' }],
    };
    service(Response.json(error, { status: 410, headers: { 'x-request-id': 'req-1' } }));
    const refusal = await client()
      .open()
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ClassroomRefusal);
    expect(refusal).toMatchObject({
      code: 'ROOM_ENDED',
      message: 'The room has ended',
      requestId: 'req-1',
      reason: 'class_ended',
      isPassing: false,
    });
  });

  it.each<[string, Response | Error, string, boolean]>([
    ['no service answers', new TypeError('fetch failed'), 'NO_ANSWER', true],
    ['a proxy answers', new Response('<h1>Bad gateway</h1>', { status: 502 }), 'NO_ANSWER', true],
    ['a dependency is unreachable', Response.json({ error: 'SERVICE_UNAVAILABLE' }, { status: 503 }), 'SERVICE_UNAVAILABLE', true],
    ['an unknown service answers', Response.json({}, { status: 500 }), 'SERVICE_UNAVAILABLE', true],
    ['the token is invalid', Response.json({ error: 'UNAUTHORIZED' }, { status: 401 }), 'UNAUTHORIZED', false],
  ])('is refused if %s, and states whether it can be retried', async (_, answer, code, isPassing) => {
    service(answer);
    await expect(client().open()).rejects.toMatchObject({ code, isPassing });
  });
});
