import type { DiscoveryService } from '@nestjs/core';
import { Background, InBackground, type Task } from './background.js';
import type { BaseConfig } from './config.js';

const events: string[] = [];
const task = (name: string): Task => ({
  start: () => void events.push(`${name} started`),
  stop: async () => void events.push(`${name} stopped`),
});

class Sweep {
  @InBackground() readonly first = task('first');
  @InBackground('any') readonly second = task('second');
  @InBackground('any') readonly left: Task | undefined = undefined;
}

@InBackground('any')
class Streams implements Task {
  start = task('streams').start;
  stop = task('streams').stop;
}

async function run(roles: string[]): Promise<string[]> {
  events.splice(0);
  const providers = [{ instance: new Sweep() }, { instance: new Streams() }, { instance: 'a value' }, { instance: null }];
  const background = new Background(
    { ROLES: roles } as unknown as BaseConfig,
    { getProviders: () => providers } as unknown as DiscoveryService,
  );
  background.onApplicationBootstrap();
  await background.beforeApplicationShutdown();
  return [...events];
}

describe('background work', () => {
  it('is found in providers, started and stopped, each task once', async () => {
    expect(await run(['service', 'worker'])).toEqual([
      ...['first', 'second', 'streams'].map((name) => `${name} started`),
      ...['first', 'second', 'streams'].map((name) => `${name} stopped`),
    ]);
  });

  it('of the worker runs only in processes of that role', async () => {
    expect(await run(['service'])).toEqual(['second started', 'streams started', 'second stopped', 'streams stopped']);
  });
});
