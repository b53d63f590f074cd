import { AppError } from '@classroom/contracts';
import { Clock } from '@classroom/platform';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { sendError } from '../http/envelope.js';

const PATH = '/.well-known/security.txt';
const DAY_MS = 86_400_000;
/** So long, a reader may rely on a copy. */
const VALID_DAYS = 90;

type Settings = Pick<GatewayConfig, 'CLASSROOM_URL' | 'SECURITY_CONTACT' | 'SECURITY_POLICY'>;

/** RFC 9116: whom to write to about a vulnerability. Undefined without a contact, because there is no default that would be read. */
export function securityTxt(
  { CLASSROOM_URL, SECURITY_CONTACT: contacts, SECURITY_POLICY: policy }: Settings,
  now: Date,
): string | undefined {
  if (contacts === undefined) return undefined;
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date((Math.floor(now.getTime() / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${new URL(PATH, CLASSROOM_URL).href}`,
    ...(policy === undefined ? [] : [`Policy: ${policy}`]),
  ];
  return `${lines.join('\n')}\n`;
}

export function registerSecurityTxt(fastify: FastifyInstance, settings: Settings, clock: Clock): void {
  fastify.get(PATH, async (request, reply) => {
    const text = securityTxt(settings, clock.wall());
    if (text === undefined) return sendError(request, reply, new AppError('NOT_FOUND'));
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400').send(text);
  });
}
