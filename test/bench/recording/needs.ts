import path from 'node:path';
import { createRequire } from 'node:module';

/** LiveKit's native client and the storage belong to packages that this one has only through others. */
export const needs = (library: 'testing' | 'storage', name: string): unknown =>
  createRequire(path.join(import.meta.dirname, '..', '..', '..', 'libs', library, 'package.json'))(name);
