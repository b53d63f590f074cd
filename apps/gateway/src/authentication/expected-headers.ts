import type { ErrorDetail } from '@classroom/contracts';
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

/** Each of a caller's headers is enough. */
const HEADERS: Record<CredentialAuth, readonly Header[]> = {
  organization: [
    { name: 'VF-ORG-ID', form: /^[A-Za-z0-9_-]{1,64}$/, what: 'a credential of your organization, vfo_…' },
    { name: 'Authorization', form: /^Bearer +vc_\S+$/i, what: '“Bearer ” and an API key, vc_live_…' },
  ],
  dispatch: [{ name: 'X-Dispatch-Secret', form: /^.+$/, what: 'the operators’ secret' }],
  participant: [bearer('the token of a join, or the classroomToken of a session')],
  classroom: [bearer('the classroomToken of a session')],
  dashboard: [bearer('a token of a dashboard')],
};

/** For the details of a 401: which headers a caller may send, and whether each was there and had its form. Whether a value is valid is never said. */
export const expectedHeaders = (auth: CredentialAuth, headers: FastifyRequest['headers']): ErrorDetail[] =>
  HEADERS[auth].map(({ name, form, what }) => {
    const value = headers[name.toLowerCase()];
    const state = value === undefined ? 'is missing' : typeof value === 'string' && form.test(value) ? 'was sent' : 'is malformed';
    return { path: name, message: `${state}; it may have ${what}` };
  });
