import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the gateway's package. */
export const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
