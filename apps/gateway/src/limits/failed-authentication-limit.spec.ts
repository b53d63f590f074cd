import { AppError, type ErrorCode } from '@classroom/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FailedAuthenticationLimit, type CredentialAuth } from './failed-authentication-limit.js';

const QUOTA = 10;
const SCHOOL = '203.0.113.7';

describe('an address with repeated refusals', () => {
  let limit: FailedAuthenticationLimit;
  beforeEach(() => (limit = new FailedAuthenticationLimit({ REFUSED_REQUESTS_PER_MINUTE: QUOTA })));

  const request = (secret: string, ip: string) =>
    ({ ip, headers: { authorization: `Bearer ${secret}`, 'vf-org-id': secret, 'x-dispatch-secret': secret } }) as unknown as FastifyRequest;
  /** Headers of a rejection before the credential is checked; undefined if the credential is checked. */
  function admitted(
    secret: string,
    { auth = 'organization', ip = SCHOOL }: { auth?: CredentialAuth; ip?: string } = {},
  ): Record<string, string> | undefined {
    const headers: Record<string, string> = {};
    const reply = { header: (name: string, value: string) => (headers[name] = value) } as unknown as FastifyReply;
    try {
      limit.check(request(secret, ip), auth, reply);
      return undefined;
    } catch (error) {
      expect(error).toMatchObject({ code: 'RATE_LIMITED' });
      return headers;
    }
  }
  /** Reports failed guesses and waits until all promises have settled. */
  async function guess(
    times: number,
    { auth = 'organization', code = 'UNAUTHORIZED', ip = SCHOOL }: { auth?: CredentialAuth; code?: ErrorCode; ip?: string } = {},
  ) {
    for (let at = 0; at < times; at++) limit.recordFailure(request(`guess ${at}`, ip), auth, new AppError(code));
    await new Promise(setImmediate);
  }

  it('is refused immediately, with the time to wait', async () => {
    await guess(QUOTA);
    expect(admitted('one more')).toBeUndefined();
    await guess(1);
    expect(admitted('one more')).toEqual({
      'retry-after': expect.stringMatching(/^\d+$/),
      ratelimit: expect.stringMatching(/^"refused-backend";r=0;t=\d+$/),
      'ratelimit-policy': `"refused-backend";q=${QUOTA};w=60`,
    });
  });

  it('does not affect its neighbour', async () => {
    await guess(QUOTA + 1);
    expect(admitted('any', { ip: '203.0.113.8' })).toBeUndefined();
  });

  it('is one IPv6 prefix, whatever its last 64 bits', async () => {
    for (let at = 0; at <= QUOTA; at++) await guess(1, { ip: `2001:db8::${at + 1}` });
    expect(admitted('any', { ip: '2001:db8::ffff' })).toBeDefined();
  });

  it('is still served with an accepted credential, until that one is refused, too', async () => {
    limit.recordSuccess(request('good', SCHOOL), 'organization');
    await guess(QUOTA + 1);
    expect([admitted('good'), admitted('bad')]).toEqual([undefined, expect.anything()]);
    limit.recordFailure(request('good', SCHOOL), 'organization', new AppError('UNAUTHORIZED'));
    expect(admitted('good')).toBeDefined();
  });

  it('remembers one credential of a caller that varies what is not read, and tokens of a class apart from those of a backend', async () => {
    limit.recordSuccess(request('good', SCHOOL), 'organization');
    for (let at = 0; at < 50_001; at++) {
      const headers = { 'vf-org-id': 'theirs', authorization: `Basic ${at}`, 'x-dispatch-secret': `${at}` };
      limit.recordSuccess({ ip: SCHOOL, headers } as unknown as FastifyRequest, 'organization');
      limit.recordSuccess(request(`token ${at}`, SCHOOL), 'classroom');
    }
    await guess(QUOTA + 1);
    expect(admitted('good')).toBeUndefined();
  });

  it('may fail a tenth as often with the operators’ secret, and twenty times as often with tokens of a class', async () => {
    for (const [auth, most] of [
      ['dispatch', QUOTA / 10],
      ['classroom', QUOTA * 20],
    ] as const) {
      await guess(most, { auth });
      expect(admitted('any', { auth })).toBeUndefined();
      await guess(1, { auth });
      expect(admitted('any', { auth })).toBeDefined();
    }
    expect(admitted('any', { auth: 'organization' })).toBeUndefined();
  });

  it('is also counted for unknown organizations at the balance, which has another error', async () => {
    await guess(QUOTA + 1, { code: 'ORGANIZATION_NOT_FOUND' });
    expect(admitted('any')).toBeDefined();
  });

  it.each(['SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'FORBIDDEN', 'ROOM_ENDED'] as const)('is not counted for %s', async (code) => {
    await guess(QUOTA + 1, { code });
    expect(admitted('any')).toBeUndefined();
  });
});
