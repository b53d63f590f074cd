import fs from 'node:fs';
import path from 'node:path';
import * as library from '@classroom/contracts';
import { listContracts } from '../contracts/list-contracts.ts';
import { APPS } from '../stack/apps.ts';
import { REPO } from '../stack/context.ts';
import { REDIS_USERS } from '../stack/secrets.ts';
import { aclFiles, redisUsers } from './redis.ts';

describe('the users of Redis', () => {
  const { jobs, cache } = redisUsers(library);

  test('have the permissions that the contracts give them: otherwise run npm run generate -- users', () => {
    for (const [name, text] of Object.entries(aclFiles(library)))
      expect(fs.readFileSync(path.join(REPO, 'deploy', 'redis', name), 'utf8')).toBe(text);
  });

  test('are one for each app with queues, one for the gateway and one for LiveKit', () => {
    const apps = APPS.filter(({ queues }) => queues).map(({ name }) => name);
    expect(Object.keys(jobs).sort()).toEqual([...apps, 'livekit'].sort());
    expect(Object.keys(cache)).toEqual(['gateway']);
    expect([...REDIS_USERS].sort()).toEqual([...apps, 'gateway', 'livekit'].sort());
  });

  test('share every queue of the contracts, and no key', () => {
    const keys = [...Object.values(jobs), ...Object.values(cache)].flatMap((user) => user.keys);
    const queues = Object.keys(listContracts(library).jobs).map((queue) => `bull:${queue}:*`);
    expect(keys.filter((key) => key.startsWith('bull:')).sort()).toEqual(queues.sort());
    expect(keys).toHaveLength(new Set(keys).size);
    expect(keys).not.toContain('*');
  });
});
