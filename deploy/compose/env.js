'use strict';

/**
 * Writes the .env file that docker-compose.yml reads, readable only by its owner (mode 0600), and prints the names that it added. Existing
 * values are kept, because a database keeps the passwords with which it was created.
 */
const fs = require('node:fs');
const path = require('node:path');
const { generateKeyPairSync, randomBytes } = require('node:crypto');

const token = (bytes = 24) => randomBytes(bytes).toString('hex');

const callerKeys = generateKeyPairSync('ed25519');

/** @type {Record<string, string>} */
const VALUES = {
  // The host name or address at which browsers reach the stack. To allow other machines, also set BIND_ADDRESS=0.0.0.0.
  PUBLIC_HOST: 'localhost',
  BIND_ADDRESS: '127.0.0.1',
  GATEWAY_PORT: '8080',
  LIVEKIT_NODE_IP: '127.0.0.1',
  RECORDING_ENGINE: 'egress',
  POSTGRES_PASSWORD: token(),
  ORGANIZATION_DATABASE_PASSWORD: token(),
  ROOM_DATABASE_PASSWORD: token(),
  RECORDING_DATABASE_PASSWORD: token(),
  BILLING_DATABASE_PASSWORD: token(),
  MEDIA_DATABASE_PASSWORD: token(),
  AI_DATABASE_PASSWORD: token(),
  // NATS reads a value that begins with a digit as a number.
  OPERATOR_NATS_PASSWORD: `n${token()}`,
  GATEWAY_NATS_PASSWORD: `n${token()}`,
  ORGANIZATION_NATS_PASSWORD: `n${token()}`,
  ROOM_NATS_PASSWORD: `n${token()}`,
  RECORDING_NATS_PASSWORD: `n${token()}`,
  RECORDER_NATS_PASSWORD: `n${token()}`,
  BILLING_NATS_PASSWORD: `n${token()}`,
  AI_NATS_PASSWORD: `n${token()}`,
  MEDIA_NATS_PASSWORD: `n${token()}`,
  REDIS_PASSWORD: token(),
  ORGANIZATION_REDIS_PASSWORD: token(),
  ROOM_REDIS_PASSWORD: token(),
  RECORDING_REDIS_PASSWORD: token(),
  BILLING_REDIS_PASSWORD: token(),
  MEDIA_REDIS_PASSWORD: token(),
  GATEWAY_REDIS_PASSWORD: token(),
  LIVEKIT_REDIS_PASSWORD: token(),
  LIVEKIT_API_KEY: `API${token(6)}`,
  LIVEKIT_API_SECRET: token(32),
  S3_ACCESS_KEY_ID: token(10).toUpperCase(),
  S3_SECRET_ACCESS_KEY: token(20),
  GATEWAY_S3_SECRET: token(20),
  RECORDING_S3_SECRET: token(20),
  RECORDER_S3_SECRET: token(20),
  MEDIA_S3_SECRET: token(20),
  AI_S3_SECRET: token(20),
  ORGANIZATION_S3_SECRET: token(20),
  EGRESS_S3_SECRET: token(20),
  DISPATCH_SECRET: token(),
  CALLER_SIGNING_KEY: callerKeys.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  CALLER_PUBLIC_KEYS: callerKeys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  CLASSROOM_TOKEN_SECRET: token(32),
  DASHBOARD_TOKEN_SECRET: token(32),
  MEDIA_SIGNING_KEY: token(32),
  AI_KEY_SECRET: token(32),
  WEBHOOK_KEY_SECRET: token(32),
  RECORDING_KEY_SECRET: token(32),
  GRAFANA_PASSWORD: token(12),
};

/** @param {string} file @returns {string[]} the names that were added */
function writeEnvironment(file) {
  const had = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const missing = Object.keys(VALUES).filter((name) => !new RegExp(`^${name}=`, 'm').test(had));
  const text = missing.map((name) => `${name}=${VALUES[name]}\n`).join('');
  const before = had === '' || had.endsWith('\n') ? had : `${had}\n`;
  // Writes a temporary file and renames it: half a file would lose the passwords of an existing database.
  const temporary = `${file}.${process.pid}`;
  fs.writeFileSync(temporary, before + text, { mode: 0o600 });
  fs.renameSync(temporary, file);
  return missing;
}

const file = path.resolve(process.argv[2] ?? path.join(__dirname, '..', '..', '.env'));
const added = writeEnvironment(file);
process.stdout.write(added.length > 0 ? `${file}: added ${added.join(', ')}\n` : `${file}: complete\n`);
