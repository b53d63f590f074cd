import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILED_FOLDER } from './compiled-folder.js';

const GATEWAY = join(COMPILED_FOLDER, '..');
const REPOSITORY = join(GATEWAY, '..', '..');

/** An image has what the gateway serves next to its `dist`; a repository has it where it is built. */
function builtFolder(inImage: string, inRepository: string): string {
  const folder = join(GATEWAY, inImage);
  return existsSync(folder) ? folder : join(REPOSITORY, inRepository);
}

/** The built class page, with the recording page and the player. */
export const CLASS_PAGE = builtFolder('classroom', 'apps/classroom/dist');
/** The packages of this version (`npm run packages`), which are served at /packages/. */
export const PACKAGES = builtFolder('packages', 'dist/packages');
/** The guides, which are served at /guides/ and linked by the reference. */
export const GUIDES = builtFolder('guides', 'docs/guides');
