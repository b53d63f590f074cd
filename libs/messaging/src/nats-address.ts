export interface NatsAddress {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
}

const CREDENTIALS = /\/\/([^@/:]*)(?::([^@/]*))?@/;

/**
 * Servers, comma separated, of which the first may carry `user:password@` or `token@`, percent-encoded: nats.js takes no
 * notice of them in an address, and one user holds for all servers.
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
