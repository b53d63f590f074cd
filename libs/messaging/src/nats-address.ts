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
