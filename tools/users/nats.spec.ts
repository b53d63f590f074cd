import fs from 'node:fs';
import path from 'node:path';
import * as library from '@classroom/contracts';
import type { Library } from '../contracts/list-contracts.ts';
import { APPS as STARTED } from '../stack/apps.ts';
import { REPO } from '../stack/context.ts';
import { APPS, permissionsOf, usersConfig } from './nats.ts';

describe('the users of NATS', () => {
  test('have the permissions that the contracts give them: otherwise run npm run generate -- users', () => {
    expect(fs.readFileSync(path.join(REPO, 'deploy', 'nats', 'users.conf'), 'utf8')).toBe(usersConfig(library));
  });

  test('are one for each app', () => {
    expect([...APPS].sort()).toEqual(STARTED.map(({ name }) => name).sort());
  });

  test('publish no fact and answer no call of another service, except one, which replays what consumers gave up', () => {
    const contracts: Library = library;
    const consumers = Object.values({ ...contracts.CONSUMERS, ...contracts.OPTIONAL_CONSUMERS });
    const replayed = new Set(consumers.flatMap(({ filterSubjects }): string[] => filterSubjects));
    for (const app of APPS) {
      const isForeign = (subject: string) => !subject.startsWith(`evt.${app}.`) && !(app === 'organization' && replayed.has(subject));
      const { publish, subscribe } = permissionsOf(app, library);
      expect([app, publish.filter((subject) => subject.startsWith('evt.') && isForeign(subject))]).toEqual([app, []]);
      expect([app, subscribe.filter((subject) => subject.startsWith('rpc.') && subject !== `rpc.${app}.>`)]).toEqual([app, []]);
      expect([app, [...publish, ...subscribe].filter((subject) => ['>', 'evt.>', 'rpc.>', '$JS.>', '_INBOX.>'].includes(subject))]).toEqual(
        [app, []],
      );
    }
  });
});
