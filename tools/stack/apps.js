'use strict';

/**
 * The one list of apps. The order is only that of their probe ports: append, so that the others keep theirs.
 * - schema: has a Postgres role `classroom_<name>`, a `dist/migrate.js` and gets a DATABASE_URL
 * - livekit: gets LiveKit's address, key and secret
 * - env: what only this app gets, from the stack's facts
 * @typedef {{ secrets: Record<string, any>, urls: Record<string, string>, gatewayPort: number, repo: string }} Facts
 * @type {ReadonlyArray<{ name: string, schema: boolean, livekit: boolean, env: (facts: Facts) => Record<string, string> }>}
 */
const APPS = [
  {
    name: 'organization',
    schema: true,
    livekit: false,
    env: () => ({}),
  },
  {
    name: 'room',
    schema: true,
    livekit: true,
    env: ({ secrets, urls }) => ({
      CLASSROOM_TOKEN_SECRET: secrets.classroomTokenSecret,
      GATEWAY_URL: urls.gateway,
      CLASSROOM_URL: urls.gateway,
    }),
  },
  {
    name: 'gateway',
    schema: false,
    livekit: true,
    env: ({ urls, gatewayPort, repo }) => ({
      GATEWAY_HOST: '127.0.0.1',
      GATEWAY_PORT: String(gatewayPort),
      GATEWAY_URL: urls.gateway,
      CLASSROOM_URL: urls.gateway,
      CLASSROOM_ASSETS: `${repo}/apps/classroom/dist`,
    }),
  },
  {
    name: 'billing',
    schema: true,
    livekit: false,
    env: () => ({}),
  },
];

module.exports = { APPS };
