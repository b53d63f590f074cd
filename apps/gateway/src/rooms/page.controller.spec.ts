import type { RpcClient } from '@classroom/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OrganizationDirectory } from '../authentication/organization-directory.js';
import type { GatewayConfig } from '../config.js';
import type { AddressLimit } from '../limits/rate-limit.js';
import type { ClassPages } from '../http/class-pages.js';
import { PageController } from './page.controller.js';

describe('the class page', () => {
  async function policyWith(livekit: string, media?: string): Promise<string> {
    const config = { LIVEKIT_PUBLIC_URL: livekit, MEDIA_URL: media } as GatewayConfig;
    const limit = { take: async () => undefined } as unknown as AddressLimit;
    const pages: ClassPages = { read: async () => '<html><head></head></html>' };
    const controller = new PageController(config, pages, {} as RpcClient, {} as OrganizationDirectory, limit);
    const headers: Record<string, string> = {};
    const reply = {
      header: (name: string, value: string) => (headers[name] = value),
      code: () => reply,
      type: () => reply,
      send: async () => undefined,
    };
    await controller.page('unknown', {} as FastifyRequest, reply as unknown as FastifyReply);
    return headers['content-security-policy'] ?? '';
  }

  it.each([
    ['wss://livekit.example', 'wss://livekit.example https://livekit.example'],
    ['https://livekit.example', 'wss://livekit.example https://livekit.example'],
    ['ws://127.0.0.1:7880', 'ws://127.0.0.1:7880 http://127.0.0.1:7880'],
    ['http://127.0.0.1:7880', 'ws://127.0.0.1:7880 http://127.0.0.1:7880'],
  ])('may connect with LiveKit at %s to %s', async (livekit, origins) => {
    expect((await policyWith(livekit)).split('; ')).toContain(`connect-src 'self' ${origins}`);
  });

  it('shows slides from where the media service is reached, and uploads files to it', async () => {
    const policy = await policyWith('wss://livekit.example', 'https://media.example/files');
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        `connect-src 'self' wss://livekit.example https://livekit.example https://media.example`,
        `img-src 'self' data: https://media.example`,
      ]),
    );
  });
});
