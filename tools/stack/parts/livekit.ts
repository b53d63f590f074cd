import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { statusOf } from '../checks.ts';
import type { PartContext } from '../options.ts';
import { ORDER, partProcess } from '../process.ts';
import type { Tools } from './obtain.ts';
import { DB, redisUrlOf } from './redis.ts';

/** The LiveKit events that we use; by default it sends all. `room_started` is sent when a room is created, and has no new information for us. */
export const EVENTS = [
  'room_finished',
  'participant_joined',
  'participant_left',
  'participant_connection_aborted',
  'track_published',
  'egress_started',
  'egress_updated',
  'egress_ended',
];

/** `lo` on Linux, `lo0` on a Mac. */
function loopbackInterface() {
  const found = Object.entries(os.networkInterfaces()).find(([, addresses]) => addresses?.some((it) => it.address === '127.0.0.1'));
  return found?.[0] ?? 'lo';
}

export function createLivekit(stack: PartContext, tools: Tools, { redisUrl }: { redisUrl: string }) {
  const { home, options, ports, secrets, gatewayPort } = stack;
  // With `livekit: false` no LiveKit is created, and this function is not called.
  const own = options.livekit || {};
  const port = ports.parts.livekit;
  const folder = path.join(home, 'livekit');
  const configFile = path.join(folder, 'livekit.json');
  const handle = partProcess(
    'livekit',
    {
      order: ORDER.media,
      // After the first signal LiveKit waits until all participants have left. After the second it exits immediately.
      repeatAfterMs: 1000,
      check: async () => (await statusOf(`http://127.0.0.1:${port}/`)) === 200,
      command: () => {
        fs.mkdirSync(folder, { recursive: true });
        const config = livekitConfig({
          port,
          udpPort: ports.parts.livekitUdp,
          // Off by default: LiveKit binds this port on all addresses, and on loopback UDP always works.
          tcpPort: options.outside?.nodeIp ? ports.parts.livekitTcp : 0,
          nodeIp: options.outside?.nodeIp,
          redisUrl: redisUrlOf('livekit', redisUrl, DB.livekit, secrets),
          key: secrets.livekitApiKey,
          secret: secrets.livekitApiSecret,
          events: own.events ?? EVENTS,
          webhookUrls: own.webhookUrls ?? [`http://127.0.0.1:${gatewayPort}/livekit/webhook`],
        });
        // The file contains the API secret.
        fs.writeFileSync(configFile, JSON.stringify(config, null, 2), { mode: 0o600 });
        return tools.tool('livekit-server', '--config', configFile);
      },
    },
    stack,
  );
  return { handle, urls: { livekit: `http://127.0.0.1:${port}`, livekitPublic: `ws://127.0.0.1:${port}` } };
}

interface LivekitValues {
  port: number;
  udpPort: number;
  tcpPort: number;
  redisUrl: string;
  key: string;
  secret: string;
  events?: string[];
  webhookUrls: string[];
  /** Address at which LiveKit offers its media, bound on all addresses of this machine. Without it only loopback is used. */
  nodeIp?: string | undefined;
}

/**
 * LiveKit's configuration. It is written as JSON, which is valid YAML.
 * @param values `nodeIp`: address of the media for other machines, bound on all addresses; without it only loopback is used
 */
export function livekitConfig({ port, udpPort, tcpPort, redisUrl, key, secret, events, webhookUrls, nodeIp }: LivekitValues) {
  const redis = new URL(redisUrl);
  return {
    port,
    bind_addresses: ['127.0.0.1'],
    // Each line about a participant has the uid, whatever its level, and no setting leaves it out. A failed start is reported all the same.
    logging: { level: 'fatal', json: true },
    rtc: {
      udp_port: udpPort,
      tcp_port: tcpPort,
      use_external_ip: false,
      ...(nodeIp
        ? { node_ip: nodeIp }
        : { node_ip: '127.0.0.1', enable_loopback_candidate: true, interfaces: { includes: [loopbackInterface()] } }),
      stun_servers: [],
    },
    redis: {
      address: redis.host,
      db: DB.livekit,
      ...(redis.username ? { username: decodeURIComponent(redis.username) } : {}),
      ...(redis.password ? { password: decodeURIComponent(redis.password) } : {}),
    },
    keys: { [key]: secret },
    // A stale token must not create a finished room again. LiveKit's timeouts keep their defaults, because we set timeouts per room.
    room: { auto_create: false },
    // Without this, LiveKit reads the participant list from a Redis hash, which still contains the participants of a node that was killed.
    api: { enable_psrpc_for_get_list_participants: true },
    // An event may wait as long as the gateway's port is held without an answer. LiveKit's default is 30 s.
    webhook: { api_key: key, urls: webhookUrls, filter_params: { include_events: events }, resource_url_notifier: { max_age: '5m' } },
  };
}
