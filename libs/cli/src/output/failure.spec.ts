import { ConnectionError, VirtualClassroomError } from '@virtual-classroom/sdk';
import { CommandError } from '../io.js';
import { describeFailure, textOf } from './failure.js';

const SECRET = 'vfo_doNotShow';
const attempted = { command: 'rooms get', url: 'https://classroom.example', credential: 'credential of VC_CREDENTIAL', secrets: [SECRET] };
const refusal = (status: number, code: string, more: object = {}) =>
  new VirtualClassroomError('As the service says', { code, status, requestId: 'req_1', details: [], retryAfterMs: undefined, ...more });
const text = (error: unknown) => textOf(describeFailure(error, attempted));

it('a refused credential is named by its source', () => {
  expect(text(refusal(401, 'UNAUTHORIZED'))).toBe(
    'Error: The service refused the credential of VC_CREDENTIAL (UNAUTHORIZED, HTTP 401, request req_1)\n' +
      'Check that it is for https://classroom.example and neither expired nor revoked, or store another one with: vc login\n',
  );
});

it('wrong fields are listed, with the command whose help explains them', () => {
  const details = [
    { path: 'participant.role', message: 'must be one of TEACHER, STUDENT' },
    { path: 'title', message: 'must not be empty' },
  ];
  expect(text(refusal(400, 'VALIDATION_FAILED', { details }))).toMatch(
    /\n {2}participant\.role: must be one of TEACHER, STUDENT\n {2}title: must not be empty\nCorrect .*vc rooms get --help\n$/,
  );
});

it('a single wrong field is shown once, and the headers of a 401 are not', () => {
  const details = [{ path: 'settings.endsAt', message: 'must be in the future' }];
  expect(text(refusal(400, 'VALIDATION_FAILED', { details }))).toContain('\n  settings.endsAt: must be in the future\n');
  const named = new VirtualClassroomError('settings.endsAt must be in the future', { ...refusal(400, 'VALIDATION_FAILED'), details });
  expect(text(named).match(/must be in the future/g)).toHaveLength(1);
  expect(text(refusal(401, 'UNAUTHORIZED', { details: [{ path: 'VF-ORG-ID', message: 'was sent' }] }))).not.toContain('VF-ORG-ID');
});

it.each([
  ['a missing permission', refusal(403, 'FORBIDDEN'), /--api-key/],
  ['an unknown room', refusal(404, 'ROOM_NOT_FOUND'), /Check the id/],
  ['too many calls', refusal(429, 'RATE_LIMITED', { retryAfterMs: 2_100 }), /Wait 3 s/],
  ['a failure of the service', refusal(503, 'SERVICE_UNAVAILABLE'), /vc health.*req_1/],
  ['no answer', new ConnectionError('x', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }), /ECONNREFUSED[\s\S]*vc health/],
  ['a misuse', new CommandError('Wrong', 'Do this'), /^Error: Wrong\nDo this\n$/],
])('%s says what to do next', (_, error, expected) => expect(text(error)).toMatch(expected));

it('no message contains a credential', () => {
  const error = new TypeError(`Headers.append: "${SECRET}" is an invalid header value`);
  expect(text(error)).toContain('"…" is an invalid header value');
});
