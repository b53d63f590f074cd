'use strict';

/**
 * Writes the .env file that docker-compose.yml reads, readable only by its owner (mode 0600), and prints the names that it added. Existing
 * values are kept, because a database keeps the passwords with which it was created.
 *   node deploy/compose/env.js [file]
 *   node deploy/compose/env.js [file] --host <name> --address <IP address> [--issuer internal]
 * The second form serves other machines, with TLS, under <name>, livekit.<name> and files.<name>. It replaces the addresses.
 */
const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { generateKeyPairSync, randomBytes } = require('node:crypto');

const token = (bytes = 24) => randomBytes(bytes).toString('hex');

const [callerKeys, receiptKeys] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
/** @param {import('node:crypto').KeyObject} key */
const privateKey = (key) => key.export({ format: 'der', type: 'pkcs8' }).toString('base64');
/** @param {import('node:crypto').KeyObject} key */
const publicKey = (key) => key.export({ format: 'der', type: 'spki' }).toString('base64');

/**
 * Addresses of a system for this machine alone.
 * @param {string} host
 * @param {string} port of the gateway
 * @returns {Record<string, string>}
 */
const localAddresses = (host, port) => ({
  // Paths to which Caddy answers 404: the operators' API and its reference, LiveKit's webhooks and the recording page.
  CLOSED_PATHS: '/v1/admin /v1/admin/* /docs/operators* /openapi.internal.json /livekit/* /recording /recording/*',
  // The name at which browsers reach the stack.
  PUBLIC_HOST: host,
  CLASSROOM_URL: `http://${host}:${port}`,
  LIVEKIT_PUBLIC_URL: `ws://${host}:7880`,
  S3_PUBLIC_URL: `http://${host}:7070`,
  GATEWAY_PORT: port,
  // Of the gateway, the storage and LiveKit's signalling, then of LiveKit's media.
  BIND_ADDRESS: '127.0.0.1',
  MEDIA_BIND_ADDRESS: '127.0.0.1',
  // Where LiveKit receives media: at loopback, and at its address in Docker's network.
  LIVEKIT_ADDRESSES: 'enable_loopback_candidate: true',
  TRUSTED_PROXIES: 'loopback',
  TLS_ISSUER: 'acme',
});

/**
 * Addresses of a system for other machines. The services listen on this machine alone, behind the profile `tls`.
 * @param {string} host
 * @param {string} address
 * @param {string} issuer
 * @returns {Record<string, string>}
 */
const publicAddresses = (host, address, issuer) => ({
  PUBLIC_HOST: host,
  CLASSROOM_URL: `https://${host}`,
  LIVEKIT_PUBLIC_URL: `wss://livekit.${host}`,
  S3_PUBLIC_URL: `https://files.${host}`,
  MEDIA_BIND_ADDRESS: '0.0.0.0',
  // LiveKit replaces all its addresses by this one, and would answer on the first alone: loopback must not be among them.
  LIVEKIT_ADDRESSES: `node_ip: ${address}`,
  // Caddy, in Docker's network.
  TRUSTED_PROXIES: 'uniquelocal',
  TLS_ISSUER: issuer,
  COMPOSE_PROFILES: 'tls',
});

/** @type {Record<string, string>} */
const VALUES = {
  RECORDING_ENGINE: 'egress',
  // Docker's own seccomp profile leaves Chromium no sandbox: docs/guides/compose.md says how to turn it on.
  CHROMIUM_SANDBOX: 'off',
  // Disk space of all streams together. A full stream refuses new messages, and loses none.
  NATS_STREAM_STORAGE_MIB: '4096',
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
  EGRESS_LIVEKIT_API_KEY: `API${token(6)}`,
  EGRESS_LIVEKIT_API_SECRET: token(32),
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
  CALLER_SIGNING_KEY: privateKey(callerKeys.privateKey),
  CALLER_PUBLIC_KEYS: publicKey(callerKeys.publicKey),
  // To replace it, put the new public key before the old one, which stays.
  RECEIPT_SIGNING_KEY: privateKey(receiptKeys.privateKey),
  RECEIPT_PUBLIC_KEYS: publicKey(receiptKeys.publicKey),
  CLASSROOM_TOKEN_SECRET: token(32),
  DASHBOARD_TOKEN_SECRET: token(32),
  MEDIA_SIGNING_KEY: token(32),
  AI_KEY_SECRET: token(32),
  WEBHOOK_KEY_SECRET: token(32),
  RECORDING_KEY_SECRET: token(32),
  GRAFANA_PASSWORD: token(12),
};

/** @param {string} text of the file @param {string} name @param {string} otherwise */
const valueIn = (text, name, otherwise) => (new RegExp(`^${name}=(.*)$`, 'm').exec(text) ?? [])[1] ?? otherwise;

/**
 * @param {string} file
 * @param {Record<string, string>} replaced values that replace those of the file
 * @returns {string[]} the names that were added or replaced
 */
function writeEnvironment(file, replaced) {
  const had = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const values = {
    ...localAddresses(valueIn(had, 'PUBLIC_HOST', 'localhost'), valueIn(had, 'GATEWAY_PORT', '8080')),
    ...VALUES,
    ...replaced,
  };
  const kept = had.split('\n').filter((line) => line !== '' && !(line.split('=')[0] in replaced));
  const names = new Set(kept.map((line) => line.split('=')[0]));
  const missing = Object.keys(values).filter((name) => !names.has(name));
  const text = [...kept, ...missing.map((name) => `${name}=${values[name]}`)].map((line) => `${line}\n`).join('');
  // Writes a temporary file and renames it: half a file would lose the passwords of an existing database.
  const temporary = `${file}.${process.pid}`;
  fs.writeFileSync(temporary, text, { mode: 0o600 });
  fs.renameSync(temporary, file);
  return missing;
}

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { host: { type: 'string' }, address: { type: 'string' }, issuer: { type: 'string', default: 'acme' } },
});
if (Boolean(given.host) !== Boolean(given.address)) {
  process.stderr.write('Give both --host and --address, or neither.\n');
  process.exit(1);
}
const file = path.resolve(positionals[0] ?? path.join(__dirname, '..', '..', '.env'));
const added = writeEnvironment(file, given.host && given.address ? publicAddresses(given.host, given.address, given.issuer) : {});
process.stdout.write(added.length > 0 ? `${file}: added ${added.join(', ')}\n` : `${file}: complete\n`);
