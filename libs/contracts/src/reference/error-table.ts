import { HTTP_STATUS } from '../kernel/error-kinds.js';
import { ERRORS } from '../kernel/errors.js';
import { errorsOf, isRepeatable, takesBody, type EndpointContract } from '../kernel/http.js';

/** Codes that any call, any call with a body, and any call with credentials may answer: the introduction describes them. */
const GENERAL = ['VALIDATION_FAILED', 'UNAUTHORIZED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
const OF_BODIES = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** The endpoint's own error codes, as a table in Markdown. Empty if it has none. */
export function errorTable(endpoint: EndpointContract): string {
  const general = new Set([
    ...GENERAL,
    ...(takesBody(endpoint) ? OF_BODIES : []),
    ...(isRepeatable(endpoint) ? ['IDEMPOTENCY_CONFLICT'] : []),
  ]);
  const rows = [...errorsOf(endpoint)]
    .filter((code) => !general.has(code))
    .map((code) => ({ code, status: HTTP_STATUS[ERRORS[code].kind] }))
    .sort((a, b) => a.status - b.status || a.code.localeCompare(b.code))
    .map(({ code, status }) => `| \`${code}\` | ${status} | ${ERRORS[code].when} | ${ERRORS[code].advice} |\n`);
  return rows.length === 0 ? '' : `\n\n| Error | Status | When | What to do |\n|---|---|---|---|\n${rows.join('')}`;
}
