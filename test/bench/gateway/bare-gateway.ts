// The minimum that a gateway must do: Fastify, and one request over NATS on the connection's shared inbox.
import fastify from 'fastify';
import { connect } from '@nats-io/transport-node';
import { natsOptions } from '../../../tools/stack/index.ts';

const TIMEOUT_MS = 3_000;
const { NATS_URL, PORT } = process.env;

interface Params {
  roomId: string;
}

async function main() {
  const nats = await connect({ ...natsOptions(NATS_URL ?? ''), noAsyncTraces: true });
  const ask = async (subject: string, input: object) => {
    const message = await nats.request(subject, JSON.stringify(input), { timeout: TIMEOUT_MS });
    return { success: true, data: message.json() };
  };
  const app = fastify();
  app.get<{ Params: Params }>('/v1/room/:roomId/status', ({ headers, params }) =>
    ask('bare.status', { organizationId: headers['vf-org-id'], ...params }),
  );
  app.post<{ Params: Params; Body: { participant: object } }>('/v1/room/:roomId/join', ({ headers, params, body }) =>
    ask('bare.join', { organizationId: headers['vf-org-id'], ...params, ...body }),
  );
  await app.listen({ host: '127.0.0.1', port: Number(PORT) });
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}

void main();
