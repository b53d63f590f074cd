import { z } from 'zod';

const OPERATOR = /^([A-Za-z0-9][A-Za-z0-9._@-]{0,63}):([0-9a-f]{64})(?::(admin|read))?(?::(\d{4}-\d{2}-\d{2}))?$/i;
const DAY_MS = 86_400_000;
/** The operator whose secret is DISPATCH_SECRET. */
export const DISPATCH = 'dispatch';

/** A person or a program that operates the installation. `read`: may make no call but GET. */
export interface Operator {
  name: string;
  role: 'admin' | 'read';
}

export interface OperatorSetting extends Operator {
  /** SHA-256 of the secret, hexadecimal. */
  hash: string;
  /** From when the secret is refused, in milliseconds since 1970. Undefined: it does not expire. */
  until?: number;
}

/** `<name>:<SHA-256 of the secret>[:<role>][:<last day>],…`. No message contains a value. */
export const operators = z
  .string()
  .default('')
  .transform((value, context): OperatorSetting[] => {
    const parts = value.split(',').map((part) => part.trim());
    const found = parts.filter((part) => part !== '').map(parse);
    const settings = found.filter((one) => one !== undefined);
    if (settings.length < found.length)
      context.addIssue('must be <name>:<SHA-256 of the secret>[:admin|:read][:<last day, as 2027-06-30>], separated by commas');
    const names = new Set(settings.map(({ name }) => name.toLowerCase()));
    if (names.size < settings.length || names.has(DISPATCH)) context.addIssue(`must name each operator once, and none of them ${DISPATCH}`);
    if (new Set(settings.map(({ hash }) => hash)).size < settings.length) context.addIssue('must give each operator a secret of its own');
    return settings;
  });

function parse(part: string): OperatorSetting | undefined {
  const [, name, hash, role = 'admin', day] = OPERATOR.exec(part) ?? [];
  const until = day === undefined ? undefined : Date.parse(day) + DAY_MS;
  if (name === undefined || hash === undefined || Number.isNaN(until)) return undefined;
  return { name, hash: hash.toLowerCase(), role: role.toLowerCase() as OperatorSetting['role'], ...(until !== undefined && { until }) };
}
