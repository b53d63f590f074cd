import path from 'node:path';
import { createRequire } from 'node:module';

/** LiveKit's native client and the storage are dependencies of other packages, not of this one, so they are loaded from there. */
export const needs = (library: 'testing' | 'storage', name: string): unknown =>
  createRequire(path.join(import.meta.dirname, '..', '..', '..', 'libs', library, 'package.json'))(name);
