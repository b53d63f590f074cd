import type { Server, Socket } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import { metrics } from '@opentelemetry/api';
import { z } from 'zod';
import { networkOf } from './address-quota.js';

export const connectionsConfig = z.object({
  /** Open connections of one process. Further ones are closed at once. */
  MAX_CONNECTIONS: z.coerce.number().int().min(1).default(10_000),
  /** Open connections of one process from one address, except those in TRUSTED_PROXIES. A whole school may share an address. */
  MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(2_000),
});

const refused = metrics.getMeter('virtual-classroom').createCounter('classroom_connections_refused_total', {
  description: 'Connections closed because too many were open, by limit: of the process or of the address',
});

/**
 * Closes connections beyond the limits as soon as they are accepted, before a byte is read.
 * @param proxies addresses, networks or names of networks (`loopback`, `uniquelocal`) whose connections are those of many clients: they count
 *   for the process only
 * @throws TypeError if one of `proxies` is none of these
 */
export function limitConnections(server: Server, limits: z.infer<typeof connectionsConfig>, proxies: readonly string[]): void {
  const isProxy = compile([...proxies]);
  const openByNetwork = new Map<string, number>();
  server.maxConnections = limits.MAX_CONNECTIONS;
  server.on('drop', () => refused.add(1, { limit: 'process' }));
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // Undefined if the client has already disconnected.
    if (remoteAddress === undefined || isProxy(remoteAddress, 0)) return;
    const network = networkOf(remoteAddress);
    const open = openByNetwork.get(network) ?? 0;
    if (open >= limits.MAX_CONNECTIONS_PER_ADDRESS) {
      refused.add(1, { limit: 'address' });
      socket.destroy();
      return;
    }
    openByNetwork.set(network, open + 1);
    socket.once('close', () => {
      const left = (openByNetwork.get(network) ?? 1) - 1;
      if (left > 0) openByNetwork.set(network, left);
      else openByNetwork.delete(network);
    });
  });
}

const EVERY_MS = 100;

/**
 * Closes idle connections every 100 ms. Otherwise a connection that becomes idle during the shutdown would delay it by its whole
 * keep-alive time.
 */
export function closeIdleConnections(server: { closeIdleConnections(): void }): NodeJS.Timeout {
  return setInterval(() => server.closeIdleConnections(), EVERY_MS).unref();
}
