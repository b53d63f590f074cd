import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPO } from './programs.js';

const LIBRARIES: Record<string, string> = {
  baseConfig: 'libs/platform/src/config.ts',
  outboundConfig: 'libs/platform/src/net/outbound.ts',
  persistenceConfig: 'libs/persistence/src/persistence.module.ts',
  connectionsConfig: 'libs/http/src/connection-limits.ts',
  storageConfig: 'libs/storage/src/config.ts',
};

const namesIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^\s+([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name ?? '');

const configFile = (app: string) => join(REPO, 'apps', app, 'src', 'config.ts');

export const APPS = ['gateway', 'organization', 'room', 'recording', 'billing', 'ai', 'media', 'recorder'].filter((app) =>
  existsSync(configFile(app)),
);

/** All variables in an app's config.ts and in the library schemas that it extends. */
export function variablesOf(app: string): string[] {
  const source = readFileSync(configFile(app), 'utf8');
  const shared = Object.entries(LIBRARIES).filter(([schema]) => source.includes(schema));
  return [...new Set([...namesIn(configFile(app)), ...shared.flatMap(([, file]) => namesIn(join(REPO, file)))])];
}

/** Variables that config.ts does not read: those of the logger, OpenTelemetry, Node, Postgres's client, and the programs that an app starts. */
const NOT_IN_CONFIG = /^(SERVICE_NAME|LOG_LEVEL|HOME|POD_NAME|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|PGSSLMODE|OTEL_[A-Z_]+)$/;

export const unknownTo = (app: string, names: string[]): string[] =>
  names.filter((name) => !NOT_IN_CONFIG.test(name) && !variablesOf(app).includes(name));

/** @throws an error that lists all missing or invalid variables, as the app does at its start */
export function readConfig(app: string, env: Record<string, string>): Record<string, unknown> {
  const before = process.env;
  process.env = { ...env };
  try {
    return (require(configFile(app)) as { readConfig(): Record<string, unknown> }).readConfig();
  } finally {
    process.env = before;
  }
}

/** A valid value for a variable that comes from a secret. */
export function secretFor(name: string): string {
  if (name === 'DATABASE_URL') return 'postgres://classroom:password@postgres/classroom';
  if (name.endsWith('REDIS_URL')) return 'redis://redis:6379/0';
  if (name === 'NATS_URL') return 'nats://nats:4222';
  if (name === 'MEDIA_SIGNING_KEYS') return `test:${'x'.repeat(32)}`;
  if (name === 'AI_MODELS') return '{}';
  return 'x'.repeat(40);
}
