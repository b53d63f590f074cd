import { withTestFolder } from './test-folder.ts';
import { lastLine } from './count.ts';
import { runRings } from './jest-run.ts';

/** Runs one jest project by its name, one file after another. Its caller has prepared what it needs. */
const [project = '', ...more] = process.argv.slice(2);
const count = await withTestFolder(async (folder) => {
  process.env.TEST_FOLDER = folder;
  return runRings({ projects: [project], workers: 1, isLong: false, more });
});
process.stdout.write(`\n${lastLine(count)}\n`);
process.exitCode = count.failed === 0 ? 0 : 1;
