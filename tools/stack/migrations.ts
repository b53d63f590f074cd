/**
 * Runs the migrations of several apps in one process, because loading their libraries takes longer than migrating. Reads from stdin
 * a JSON list of scripts, each with its own variables.
 */
import { createRequire } from 'node:module';
import { json } from 'node:stream/consumers';
import type { Variables } from './apps.ts';

const load = createRequire(import.meta.url);
const scripts = (await json(process.stdin)) as { file: string; env: Variables }[];
for (const { file, env } of scripts) {
  // A script reads its variables while it is loaded. It ends this process with 1 if it fails.
  Object.assign(process.env, env);
  load(file);
}
