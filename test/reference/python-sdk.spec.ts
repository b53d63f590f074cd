import { join } from 'node:path';
import { inLongForm } from '@classroom/testing';
import { REPO, run, type Ended } from '../deploy/support/programs.js';

interface Obtain {
  obtainPythonSdkPackages(): Promise<{ python: string; folder: string }>;
}
const { obtainPythonSdkPackages } = require('../../tools/obtain') as Obtain;

const SDK = join(REPO, 'libs', 'sdk-python');

/** Runs a module of the pinned packages in the folder of the SDK. @returns its output, and its exit code if that is not 0 */
async function outcomeOf(module: string, ...args: string[]): Promise<string> {
  const { python, folder } = await obtainPythonSdkPackages();
  const sources = ['src', 'tests'].join(':');
  const env = { PATH: process.env['PATH'], PYTHONPATH: `${folder}:${sources}`, MYPYPATH: sources, PYTHONDONTWRITEBYTECODE: '1' };
  const { code, stdout, stderr }: Ended = await run(python, ['-m', module, ...args], { cwd: SDK, env });
  return `${stdout}${stderr}${code === 0 ? '' : `exit code ${code}`}`;
}

describe('the Python SDK', () => {
  inLongForm(it)('has types without errors, its tests too', async () => {
    expect(await outcomeOf('mypy', '--strict', '--cache-dir', '/dev/null', 'src', 'tests')).toMatch(
      /^Success: no issues found in \d+ source files\n$/,
    );
  });

  it('passes its unit tests', async () => {
    expect(await outcomeOf('pytest', '-q', 'tests')).toMatch(/\n\d+ passed in [\d.]+s\n$/);
  });
});
