import path from 'node:path';
import { makeTemplate } from '../stack/start.ts';
import { wipeHome } from '../stack/home.ts';
import { withTestFolder } from './test-folder.ts';

/** Makes the template from which tests start their stacks, and deletes it after `work`. The stacks of tests are in the same folder. */
export const withTemplate = <T>(work: () => Promise<T>): Promise<T> =>
  withTestFolder(async (folder) => {
    const home = path.join(folder, 'template');
    try {
      await makeTemplate(home);
      Object.assign(process.env, { STACK_TEMPLATE: home, TEST_FOLDER: folder });
      return await work();
    } finally {
      await wipeHome(home);
    }
  });
