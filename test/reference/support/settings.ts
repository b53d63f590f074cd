import { join } from 'node:path';
import { EXCEPTIONS, STATES } from './exceptions.js';

/** The credentials of each kind of caller. */
export interface Credentials {
  credential: string;
  apiKey: string;
  joinToken: string;
  classroomToken: string;
  dashboardToken: string;
}

export interface Settings {
  credentials: Credentials;
  /** By operation, the classroom token of another participant. */
  tokens: Record<string, string>;
  /** By operation, the credential of another organization. */
  schools: Record<string, string>;
}

/** Uses only ids from the examples, none from answers: otherwise one operation would use up what another needs. */
const ONLY_EXAMPLES = 'extra-data-sources = { responses = false }';

const quoted = (value: unknown) => JSON.stringify(value);

/** Schemathesis's configuration file. */
export function toToml({ credentials }: Settings): string {
  const { credential, ...bearers } = credentials;
  const lines = [
    `hooks = ${quoted(join(__dirname, 'hooks.py'))}`,
    '[generation]',
    // No schema excludes the character, because each text would need a pattern.
    'allow-x00 = false',
    '[auth.openapi.credential]',
    `api_key = ${quoted(credential)}`,
    ...Object.entries(bearers).flatMap(([scheme, token]) => [`[auth.openapi.${scheme}]`, `bearer = ${quoted(token)}`]),
    '[checks.positive_data_acceptance]',
    `expected-statuses = ${quoted(STATES)}`,
    '[phases.examples]',
    'fill-missing = true',
    ONLY_EXAMPLES,
    '[phases.coverage]',
    ONLY_EXAMPLES,
  ];
  for (const [operationId, { checks }] of Object.entries(EXCEPTIONS)) {
    lines.push('[[operations]]', `include-operation-id = ${quoted(operationId)}`);
    for (const check of checks) lines.push(`checks.${check}.enabled = false`);
  }
  return `${lines.join('\n')}\n`;
}
