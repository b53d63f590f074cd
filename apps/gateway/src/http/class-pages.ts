import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { CLASS_PAGE } from '../built-folders.js';

/** The pages that the build of the class page writes. */
@Injectable()
export class ClassPages {
  read(name: 'index' | 'recording' | 'player'): Promise<string> {
    return readFile(join(CLASS_PAGE, `${name}.html`), 'utf8');
  }
}
