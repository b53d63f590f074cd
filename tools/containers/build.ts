import path from 'node:path';
import type { Progress } from '../stack/progress.ts';
import { Engine } from './engine.ts';
import { buildApps, buildParts, rebuildApp, type Source } from './images.ts';

interface Options {
  cache: string;
  progress: Progress;
  withApps: boolean;
  /** An app whose image is built twice. */
  twice?: string;
  /** An earlier version, whose images are built as well. */
  from?: Source;
}

/** Builds the images of the apps, and those of the parts under the names in the Compose file, into an engine in the cache. */
export async function build({ cache, progress, withApps, twice, from }: Options): Promise<void> {
  const engine = new Engine(path.join(cache, 'containers'));
  await engine.start();
  try {
    const building = { engine, progress, cache, logs: path.join(cache, 'logs') };
    await buildParts(building);
    if (from) await buildApps(building, from);
    if (withApps) await buildApps(building);
    if (withApps && twice) await rebuildApp(building, twice);
  } finally {
    await engine.stop();
  }
}
