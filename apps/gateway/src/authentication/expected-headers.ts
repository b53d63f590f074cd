import type { EndpointContract, ErrorDetail } from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';
import type { CredentialAuth } from '../limits/failed-authentication-limit.js';

interface Header {
  name: string;
  form: RegExp;
  /** What the header may have. */
  what: string;
}

const JWT = /^Bearer +[\w-]+\.[\w-]+\.[\w-]+$/i;
const bearer = (what: string): Header => ({ name: 'Authorization', form: JWT, what: `“Bearer ” and ${what}` });

const VALUE: Header = { name: 'VF-ORG-ID', form: /^[A-Za-z0-9_-]{1,64}$/, what: 'a credential of your organization, vfo_…' };
const API_KEY = '“Bearer ” and an API key, vc_live_…';

/** Each of a caller's headers is enough. */
const HEADERS: Record<CredentialAuth, readonly Header[]> = {
  organization: [VALUE, { name: 'Authorization', form: /^Bearer +vc_\S+$/i, what: API_KEY }],
  dispatch: [{ name: 'X-Dispatch-Secret', form: /^.+$/, what: 'the operators’ secret' }],
  participant: [bearer('the token of a join, or the classroomToken of a session')],
  classroom: [bearer('the classroomToken of a session')],
  dashboard: [bearer('a token of a dashboard')],
};
const OF_STAFF_TOO = [
  VALUE,
  { name: 'Authorization', form: /^Bearer +(vc_\S+|[\w-]+\.[\w-]+\.[\w-]+)$/i, what: `${API_KEY}, or a token of a dashboard` },
];

/** For the details of a 401: which headers a caller may send, and whether each was there and had its form. Whether a value is valid is never said. */
export function expectedHeaders(endpoint: EndpointContract | undefined, headers: FastifyRequest['headers']): ErrorDetail[] {
  const { auth = 'none', dashboardRole } = endpoint ?? {};
  if (auth === 'none' || auth === 'livekit') return [];
  const expected = auth === 'organization' && dashboardRole ? OF_STAFF_TOO : HEADERS[auth];
  return expected.map(({ name, form, what }) => {
    const value = headers[name.toLowerCase()];
    const state = value === undefined ? 'is missing' : typeof value === 'string' && form.test(value) ? 'was sent' : 'is malformed';
    return { path: name, message: `${state}; it may have ${what}` };
  });
}
