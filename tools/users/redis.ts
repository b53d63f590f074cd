import type { AppName, JobContract } from '@classroom/contracts';
import type { Library } from '../contracts/list-contracts.ts';

/** What one user of Redis may do: the patterns of its keys, and whether it may publish and subscribe. */
interface Permissions {
  keys: string[];
  channels?: boolean;
}

/**
 * Reading and writing of the user's own keys, scripts included, and INFO, which clients ask for. No administration, no search through all
 * keys, no stored functions.
 */
const COMMANDS = [
  ...['read', 'write', 'blocking', 'transaction', 'connection'].map((category) => `+@${category}`),
  ...['scripting', 'dangerous', 'admin'].map((category) => `-@${category}`),
  '-scan -randomkey -dbsize +eval +evalsha +info +client|setname',
].join(' ');

/** The queues of each app. */
const queuesOf = (library: Library): Partial<Record<AppName, JobContract[]>> => ({
  organization: [library.webhookDelivery],
  room: [library.roomSweep],
  recording: [library.egressFinalization, library.recordingCopy, library.retentionDeletion],
  billing: [library.creditRollUp],
  media: [library.transcoding],
});

/** Prefixes of the gateway's rate limits and stored answers. */
const CACHE_KEYS = ['limit', 'classroom', 'questions', 'kept', 'kept-bytes'].map((prefix) => `${prefix}:*`);

/** LiveKit's keys (pkg/service/redisstore*.go, pkg/routing/redisrouter.go). The last is its lock on a message: a SHA-256 in base64. */
const LIVEKIT_KEYS = [
  'livekit_version nodes room_node_map rooms room_internal room_participants:* room_lock:* agent_* sip_*',
  'egress egress:room:* ended_egress ingress {ingress}_* room_{ingress}:*',
  `${'?'.repeat(43)}=`,
].flatMap((keys) => keys.split(' '));

/** The users of the Redis for jobs, which LiveKit shares, and of the Redis for the cache. */
export function redisUsers(library: Library): Record<'jobs' | 'cache', Record<string, Permissions>> {
  const queues = Object.entries(queuesOf(library));
  return {
    jobs: {
      ...Object.fromEntries(queues.map(([app, jobs]) => [app, { keys: jobs.map(({ queue }) => `bull:${queue}:*`) }])),
      livekit: { keys: LIVEKIT_KEYS, channels: true },
    },
    cache: { gateway: { keys: CACHE_KEYS } },
  };
}

const rulesOf = ({ keys, channels = false }: Permissions) =>
  ['resetchannels', ...(channels ? ['&*'] : []), ...keys.map((pattern) => `~${pattern}`), COMMANDS, ...(channels ? ['+@pubsub'] : [])].join(
    ' ',
  );

const HEAD = '# Written by `npm run generate -- users` from libs/contracts.\n';

/**
 * The files of deploy/redis, by name: for Redis itself, where passwords come from the server's environment, `REDIS_<USER>_PASSWORD`, and values for
 * Valkey's chart, which reads them from a Secret with a key for each user.
 */
export function aclFiles(library: Library): Record<string, string> {
  const line = ([user, permissions]: [string, Permissions]) =>
    `user ${user} on >$REDIS_${user.toUpperCase()}_PASSWORD ${rulesOf(permissions)}\n`;
  const value = ([user, permissions]: [string, Permissions]) => `    ${user}: {permissions: ${JSON.stringify(rulesOf(permissions))}}\n`;
  return Object.fromEntries(
    Object.entries(redisUsers(library)).flatMap(([server, users]) => [
      [`${server}.conf`, HEAD + Object.entries(users).map(line).join('')],
      [`valkey-${server}.yaml`, `${HEAD}auth:\n  aclUsers:\n${Object.entries(users).map(value).join('')}`],
    ]),
  );
}
