import { z } from 'zod';

const OPERATOR = /^([A-Za-z0-9][A-Za-z0-9._@-]{0,63}):([0-9a-f]{64})(?::(admin|read))?$/i;
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
}

/** `<name>:<SHA-256 of the secret>[:<role>],…`. No message contains a value. */
export const operators = z
  .string()
  .default('')
  .transform((value, context): OperatorSetting[] => {
    const parts = value.split(',').map((part) => part.trim());
    const found = parts.filter((part) => part !== '').map(parse);
    const settings = found.filter((one) => one !== undefined);
    if (settings.length < found.length) context.addIssue('must be <name>:<SHA-256 of the secret>[:admin|:read], separated by commas');
    const names = new Set(settings.map(({ name }) => name.toLowerCase()));
    if (names.size < settings.length || names.has(DISPATCH)) context.addIssue(`must name each operator once, and none of them ${DISPATCH}`);
    if (new Set(settings.map(({ hash }) => hash)).size < settings.length) context.addIssue('must give each operator a secret of its own');
    return settings;
  });

function parse(part: string): OperatorSetting | undefined {
  const [, name, hash, role = 'admin'] = OPERATOR.exec(part) ?? [];
  return name === undefined || hash === undefined
    ? undefined
    : { name, hash: hash.toLowerCase(), role: role.toLowerCase() as OperatorSetting['role'] };
}
