import fs from 'node:fs';
import path from 'node:path';
import { APP_NAMES } from './stack/apps.ts';
import { command, freeBytes, isRoot, REPO, stackCache, stackHome, unprivilegedUser } from './stack/context.ts';
import { externalParts } from './stack/parts/external.ts';
import { PINS } from './stack/parts/install.ts';
import { find, PART_NAMES, PARTS } from './stack/parts/obtain.ts';
import { dataFolder } from './stack/parts/postgres.ts';
import { isAlive, listPids, readPid, runDir } from './stack/pidfile.ts';
import { holderOf, isFree, portsFrom } from './stack/ports.ts';
import { canInstall, obtainProgram, PROGRAM_NAMES, PROGRAMS } from './stack/programs.ts';
import { ask } from './stack/run.ts';
import { isInstalled, nodeBinary, PNPM } from './stack/toolchain.ts';
import versions from './stack/versions.json' with { type: 'json' };

let problems = 0;
const title = (text: string) => process.stdout.write(`\n${text}\n`);
const fine = (what: string, value: string) => process.stdout.write(`  ✓ ${what.padEnd(14)} ${value}\n`);
/** @param next what to do */
const bad = (what: string, value: string, next: string) => {
  problems += 1;
  process.stdout.write(`  ✗ ${what.padEnd(14)} ${value}\n    → ${next}\n`);
};

async function toolVersions() {
  title('Versions');
  // The caller's Node can't be too old: bootstrap.cjs would have refused to run.
  fine('node (yours)', (await ask('node', ['-p', '`${process.versions.node}  ${process.execPath}`'])) ?? 'not on the PATH');
  if (isInstalled()) fine('node (ours)', `${await ask(nodeBinary(), ['--version'])}  ${path.relative(REPO, nodeBinary())}`);
  else bad('packages', 'not installed, or not for this lock file', 'npm start or npm test installs them');
  const pnpm = await ask(PNPM, ['--version']);
  if (pnpm === versions.pnpm) fine('pnpm', pnpm);
  else if (isInstalled()) bad('pnpm', `${pnpm ?? 'missing'}, pinned is ${versions.pnpm}`, 'remove .toolchain and run npm start');
  fine('npm', (await ask('npm', ['--version'])) ?? 'missing');
  fine('go', (await ask('go', ['version'])) ?? 'missing (only needed to get NATS, LiveKit and versitygw)');
}

async function parts(cache: string) {
  title(`Parts (cache: ${cache})`);
  const elsewhere = externalParts({}, process.env);
  for (const name of PART_NAMES) {
    const external = elsewhere[name];
    if (external) {
      const where = `elsewhere, at ${new URL(external.url).host}`;
      await external.ready().then(
        () => fine(name, `${where}, answers`),
        (error: Error) => bad(name, `${where}, silent`, error.message),
      );
      continue;
    }
    const tools = await find(name, { cache });
    const pin = PINS[name];
    if (tools) fine(name, `${tools.version}  ${tools.how}  ${tools.where}`);
    else if ('go' in pin && !(await ask('go', ['version']))) bad(name, 'not here', `install Go 1.21 or newer, or ${PARTS[name].title}`);
    else fine(name, `not here yet; npm start gets it (${'go' in pin ? `go install ${pin.go}` : 'npm' in pin ? 'an npm package' : 'apt'})`);
  }
}

async function programs() {
  title('Programs');
  for (const name of PROGRAM_NAMES) {
    const found = await PROGRAMS[name].find().catch(() => undefined);
    if (found) fine(name, Object.values(found).join('  ') || 'installed');
    else if (await canInstall()) fine(name, "not here yet; npm start and npm test install Debian's package");
    else await obtainProgram(name).catch((error: Error) => bad(name, `not here: ${PROGRAMS[name].without}`, error.message));
  }
}

/** @returns whether a stack runs in this home */
function running(home: string): boolean {
  title(`Stack (home: ${home})`);
  const lock = readPid(path.join(runDir(home), 'launcher.pid'));
  const isRunning = lock !== undefined && isAlive(lock);
  fine('launcher', isRunning ? `running (pid ${lock.pid})` : 'not running');
  for (const record of listPids(home).filter(isAlive)) {
    if (isRunning) fine(record.name, `pid ${record.pid}`);
    else bad(record.name, `left over from a dead launcher (pid ${record.pid})`, 'npm start ends it');
  }
  const data = dataFolder(home);
  fine('data', fs.existsSync(data) ? `${home}${data.startsWith(home) ? '' : ` and ${data}`}` : 'none yet');
  if (isRoot()) fine('postgres user', `uid ${unprivilegedUser()?.uid} (it refuses to run as root)`);
  return isRunning;
}

/** @param isRunning whether this stack is running; then it is the stack itself that uses the ports */
async function ports(isRunning: boolean) {
  const { gateway, base, parts: byPart, probes } = portsFrom(APP_NAMES);
  title(`Ports (GATEWAY_PORT=${gateway}, STACK_PORT_BASE=${base})`);
  const ofProbes = Object.entries(probes).map(([name, port]): [string, number] => [`${name} probe`, port]);
  for (const [name, port] of [['gateway', gateway] as const, ...Object.entries(byPart), ...ofProbes]) {
    const setting = name === 'gateway' ? 'GATEWAY_PORT' : 'STACK_PORT_BASE';
    const free = await isFree(port, name === 'livekitUdp' ? 'udp' : 'tcp');
    const holder = free ? '' : (holderOf(port) ?? 'another program');
    if (!free && isRunning) fine(name, `${port} used by ${holder}`);
    else if (!free) bad(name, `${port} is taken by ${holder}`, `stop it, or set ${setting}`);
    else if (!isRunning) fine(name, `${port} free`);
  }
}

function disk(folders: string[]) {
  title('Disk');
  for (const folder of new Set(folders)) {
    const free = freeBytes(folder) / 1024 ** 3;
    if (free < 1) bad(`${free.toFixed(1)} GB free`, folder, 'make room, or put STACK_HOME and STACK_CACHE on another disk');
    else fine(`${free.toFixed(1)} GB free`, folder);
  }
}

async function main() {
  const [home, cache] = [stackHome(), stackCache()];
  process.stdout.on('error', () => {});
  await toolVersions();
  await parts(cache);
  await programs();
  await ports(running(home));
  disk([REPO, home, cache]);
  process.stdout.write(problems === 0 ? '\nNothing to fix.\n' : `\n${problems} thing${problems === 1 ? '' : 's'} to fix.\n`);
  process.exitCode = problems === 0 ? 0 : 1;
}

void command(main());
