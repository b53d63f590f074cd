'use strict';

// What a gateway can't do with less: Fastify, and one request over NATS on the connection's shared inbox.
const fastify = require('fastify');
const { connect } = require('@nats-io/transport-node');
const { natsOptions } = require('../../../tools/stack/index.ts');

const TIMEOUT_MS = 3_000;
const { NATS_URL, PORT } = process.env;

async function main() {
  const nats = await connect({ ...natsOptions(NATS_URL), noAsyncTraces: true });
  const ask = async (/** @type {string} */ subject, /** @type {object} */ input) => {
    const message = await nats.request(subject, JSON.stringify(input), { timeout: TIMEOUT_MS });
    return { success: true, data: message.json() };
  };
  const app = fastify();
  app.get('/v1/room/:roomId/status', ({ headers, params }) => ask('bare.status', { organizationId: headers['vf-org-id'], ...params }));
  app.post('/v1/room/:roomId/join', ({ headers, params, body }) => ask('bare.join', { organizationId: headers['vf-org-id'], ...params, ...body }));
  await app.listen({ host: '127.0.0.1', port: Number(PORT) });
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}

void main();
