import path from 'node:path';
import { obtainCompose } from '../obtain.ts';
import { command, REPO, stackCache } from '../stack/context.ts';
import { Progress } from '../stack/progress.ts';
import { nodeBinary } from '../stack/toolchain.ts';
import { runCommand } from '../test/jest-run.ts';
import { deleteNamespace, Engine, openNamespace, withHosts } from './engine.ts';
import { build } from './images.ts';
import { ENGINE, obtainRequirements, TEST_PROGRAMS } from './requirements.ts';

/** The machine's address and name, for the setup that serves others. */
const ADDRESS = '10.97.0.10';
const PUBLIC_HOST = 'class.school.test';

/** Builds the images, and tests the Compose file with an engine in a network namespace of its own. @param args `--no-build` uses the apps’ images of the last run; the others are for jest */
async function main(args: string[]): Promise<void> {
  const cache = stackCache();
  const progress = new Progress();
  await obtainRequirements({ packages: ENGINE, programs: TEST_PROGRAMS, cache, progress });
  await build({ cache, progress, withApps: !args.includes('--no-build'), twice: 'gateway' });
  const program = await progress.step('docker compose', () => obtainCompose());
  const namespace = await openNamespace('classroom-compose', ADDRESS);
  const engine = new Engine(path.join(cache, 'containers'), namespace);
  try {
    await engine.start();
    const hosts = Object.fromEntries(['', 'livekit.', 'files.'].map((prefix) => [`${prefix}${PUBLIC_HOST}`, ADDRESS]));
    const mount = withHosts(path.join(cache, 'containers', 'hosts'), hosts);
    const tests = `exec ${nodeBinary()} ${path.join(REPO, 'tools', 'test', 'run-project.ts')} compose "$@"`;
    const more = args.filter((arg) => arg !== '--no-build');
    const [file, all] = namespace.enter('unshare', ['--mount', 'sh', '-c', `${mount} && ${tests}`, 'sh', ...more]);
    const { DOCKER_HOST = '' } = engine.env;
    // No client knows the authority of the certificates that the profile with TLS makes for itself.
    const env = {
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      DOCKER_HOST,
      COMPOSE_PROGRAM: program,
      COMPOSE_ADDRESS: ADDRESS,
      COMPOSE_HOST: PUBLIC_HOST,
    };
    process.exitCode = (await runCommand(file, all, { env })) === 0 ? 0 : 1;
  } finally {
    await engine.stop();
    await deleteNamespace(namespace);
  }
}

void command(main(process.argv.slice(2)));
