export interface NatsAddress {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
}

const CREDENTIALS = /\/\/([^@/:]*)(?::([^@/]*))?@/;

/**
 * Comma-separated servers. The first may contain `user:password@` or `token@`, percent-encoded, which applies to all servers.
 * nats.js itself ignores credentials in an address.
 */
export function natsAddress(url: string): NatsAddress {
  const given = url.split(',');
  const servers = given.map((server) => server.replace(CREDENTIALS, '//'));
  const [, user, pass] = CREDENTIALS.exec(given[0] ?? '') ?? [];
  if (!user) return { servers };
  return pass === undefined
    ? { servers, token: decodeURIComponent(user) }
    : { servers, user: decodeURIComponent(user), pass: decodeURIComponent(pass) };
}
