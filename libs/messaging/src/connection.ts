import { connect, createInbox, type NatsConnection } from '@nats-io/transport-node';
import { logger } from '@classroom/platform/logger';

export interface NatsAddress {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
  /** Refuses a server that offers no TLS. */
  tls?: object;
}

const CREDENTIALS = /\/\/([^@/:]*)(?::([^@/]*))?@/;

/**
 * Comma-separated servers. The first may contain `user:password@` or `token@`, percent-encoded, which applies to all servers.
 * nats.js itself ignores credentials in an address.
 */
export function natsAddress(url: string): NatsAddress {
  const given = url.split(',');
  const servers = given.map((server) => server.replace(CREDENTIALS, '//'));
  // Without the option, nats.js would send the password in clear to a server that offers no TLS, whatever the scheme.
  const tls = servers.some((server) => server.startsWith('tls://')) ? { tls: {} } : {};
  const [, user, pass] = CREDENTIALS.exec(given[0] ?? '') ?? [];
  if (!user) return { servers, ...tls };
  return pass === undefined
    ? { servers, ...tls, token: decodeURIComponent(user) }
    : { servers, ...tls, user: decodeURIComponent(user), pass: decodeURIComponent(pass) };
}

/** The name with which each connection was made. */
const names = new WeakMap<NatsConnection, string>();

const UNNAMED = 'unnamed';

/** Where an app receives replies: NATS lets no other app subscribe to it (deploy/nats/users.conf). */
const inboxPrefix = (name: string) => `_INBOX.${name}`;

/**
 * Connects to NATS and stays connected: waits for a server at start and reconnects without a limit. The address may contain a
 * user and password, or a token. `noAsyncTraces`, because capturing a stack trace for each request costs more than the request.
 * @param name of the app
 */
export async function connectNats(url: string, name: string): Promise<NatsConnection> {
  const connection = await connect({
    ...natsAddress(url),
    name,
    inboxPrefix: inboxPrefix(name),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    reconnectJitter: 100,
    pingInterval: 10_000,
    noAsyncTraces: true,
  });
  names.set(connection, name);
  void logStatus(connection);
  return connection;
}

/** A new subject for replies to this app. */
export const replySubject = (connection: NatsConnection) => createInbox(inboxPrefix(nameOf(connection)));

/** A new subject on which the reader of a text stream controls its writer, which is this app. */
export const controlSubject = (connection: NatsConnection) => createInbox(`_STREAM.${nameOf(connection)}`);

/** A new subject at which this app reads a text stream. The gateway's is one that the services of the last release accept. */
export const readerSubject = (connection: NatsConnection) =>
  ['gateway', UNNAMED].includes(nameOf(connection)) ? createInbox() : controlSubject(connection);

/** The app that made the connection. */
export const nameOf = (connection: NatsConnection) => names.get(connection) ?? UNNAMED;

async function logStatus(connection: NatsConnection): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') logger.warn('NATS unreachable');
    if (status.type === 'reconnect') logger.info('NATS reachable again');
    if (status.type === 'error') logger.warn({ err: status.error }, 'NATS reported an error');
  }
}

/** Rejects if the server is unreachable now; nats.js itself would wait for it. */
export async function pingNats(connection: NatsConnection): Promise<void> {
  await connection.flush();
}

/** The NATS connection of the process. */
export const NATS = Symbol('NATS');
/** The JetStream client of that connection. */
export const JETSTREAM = Symbol('JETSTREAM');
