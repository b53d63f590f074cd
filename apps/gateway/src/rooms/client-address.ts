import { isIPv4, isIPv6 } from 'node:net';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** The client's address, as far as TRUSTED_PROXIES allows to know it; undefined if it is not an IP address. */
export const ClientAddress = createParamDecorator((_: unknown, context: ExecutionContext) =>
  normalizeAddress(context.switchToHttp().getRequest<FastifyRequest>().ip),
);

/** One spelling per address: IPv6 in its short form without the zone, IPv4 as such even if an IPv6 socket accepted it. */
export function normalizeAddress(ip: string): string | undefined {
  const [address = ''] = ip.split('%');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [high, low] = (MAPPED.exec(short)?.slice(1) ?? []).map((part) => Number.parseInt(part, 16));
  if (high === undefined || low === undefined) return short;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
