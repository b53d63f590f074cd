/** Keys whose values no log contains, at any depth. An organization's id may be a credential if it is older than credentials. */
const SECRET_KEYS = new Set([
  'token',
  'secret',
  'password',
  'authorization',
  'organizationId',
  'vf-org-id',
  'x-dispatch-secret',
  'cookie',
  'apiKey',
  'secretAccessKey',
]);
/** Deeper values are replaced as a whole. */
const MAX_DEPTH = 8;
const REDACTED = '[redacted]';

/**
 * A copy of a log record without secrets. Errors stay as they are: the serializer of `err` describes them. Other objects with a class, such as
 * dates, are written as JSON writes them.
 */
export const redact = (record: Record<string, unknown>): Record<string, unknown> => redactEntries(record, MAX_DEPTH);

function redactEntries(record: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, SECRET_KEYS.has(key) ? REDACTED : redactValue(value, depth)]),
  );
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return depth === 0 ? REDACTED : value.map((it) => redactValue(it, depth - 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return depth === 0 ? REDACTED : redactEntries(value, depth - 1);
}
