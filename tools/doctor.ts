import fs from 'node:fs';
import path from 'node:path';
import { ask } from './stack/run.ts';
import { isAlive, listPids, readPid, runDir } from './stack/pidfile.ts';
import { REPO, isRoot, stackCache, stackHome, unprivilegedUser, freeBytes, command } from './stack/context.ts';
import { holderOf, isFree, portsFrom } from './stack/ports.ts';
import { isInstalled, nodeBinary, PNPM } from './stack/toolchain.ts';
import { externalParts } from './stack/parts/external.ts';
import { find, PART_NAMES, PARTS } from './stack/parts/obtain.ts';
import { PINS } from './stack/parts/install.ts';
import { dataFolder } from './stack/parts/postgres.ts';
import { APP_NAMES } from './stack/apps.ts';
import { PROGRAMS, PROGRAM_NAMES, obtainProgram, canInstall } from './stack/programs.ts';
import versions from './stack/versions.json' with { type: 'json' };

let problems = 0;
const fine = (what: string, value: string) => {
  process.stdout.write(`  ✓ ${what.padEnd(14)} ${value}\n`);
};
/** @param next what to do */
const bad = (what: string, value: string, next: string) => {
  problems += 1;
  process.stdout.write(`  ✗ ${what.padEnd(14)} ${value}\n    → ${next}\n`);
};
const title = (text: string) => {
  process.stdout.write(`\n${text}\n`);
};

async function toolVersions() {
  title('Versions');
  // The caller's Node can't be too old: bootstrap.cjs would have refused to run.
  fine('node (yours)', (await ask('node', ['-p', '`${process.versions.node}  ${process.execPath}`'])) ?? 'not on the PATH');
  const env = process.env;
  if (isInstalled()) fine('node (ours)', `${await ask(nodeBinary(), ['--version'])}  ${path.relative(REPO, nodeBinary())}`);
  else bad('packages', 'not installed, or not for this lock file', 'npm start or npm test installs them');
  const pnpm = await ask(PNPM, ['--version'], { env });
  if (pnpm === versions.pnpm) fine('pnpm', pnpm);
  else if (isInstalled()) bad('pnpm', `${pnpm ?? 'missing'}, pinned is ${versions.pnpm}`, 'remove .toolchain and run npm start');
  fine('npm', (await ask('npm', ['--version'])) ?? 'missing');
  fine('go', (await ask('go', ['version'])) ?? 'missing (only needed to get NATS, LiveKit and versitygw)');
  fine('docker', (await ask('docker', ['version', '--format', '{{.Server.Version}}'])) ?? 'no engine (not needed)');
}

async function parts(cache: string) {
  title(`Parts (cache: ${cache})`);
  const elsewhere = externalParts({}, process.env);
  for (const name of PART_NAMES) {
    const external = elsewhere[name];
    if (external) {
      const where = new URL(external.url).host;
      await external.ready().then(
        () => fine(name, `elsewhere, at ${where}, answers`),
        (error: Error) => bad(name, `elsewhere, at ${where}, silent`, error.message),
      );
      continue;
    }
    const tools = await find(name, { cache });
    if (tools) {
      fine(name, `${tools.version}  ${tools.how}  ${tools.where}`);
      continue;
    }
    const pin = PINS[name];
    const way = 'go' in pin ? `go install ${pin.go}` : 'npm' in pin ? 'an npm package' : 'apt or pip';
    if ('go' in pin && !(await ask('go', ['version']))) bad(name, 'not here', `install Go 1.21 or newer, or ${PARTS[name].title}`);
    else fine(name, `not here yet; npm start gets it (${way})`);
  }
}

async function programs() {
  title('Programs');
  for (const name of PROGRAM_NAMES) {
    const found = await PROGRAMS[name].find().catch(() => undefined);
    if (found) fine(name, Object.values(found).join('  '));
    else if (await canInstall()) fine(name, "not here yet; npm start and npm test install Debian's package");
    else await obtainProgram(name).catch((error: Error) => bad(name, `not here: ${PROGRAMS[name].without}`, error.message));
  }
}

function running(home: string): { isRunning: boolean } {
  title(`Stack (home: ${home})`);
  const lock = readPid(path.join(runDir(home), 'launcher.pid'));
  const isRunning = Boolean(lock && isAlive(lock));
  if (isRunning && lock) fine('launcher', `running (pid ${lock.pid})`);
  else fine('launcher', 'not running');
  for (const record of listPids(home)) {
    if (!isAlive(record)) continue;
    if (isRunning) fine(record.name, `pid ${record.pid}`);
    else bad(record.name, `left over from a dead launcher (pid ${record.pid})`, 'npm start ends it');
  }
  const data = dataFolder(home);
  fine('data', fs.existsSync(data) ? `${home}${data.startsWith(home) ? '' : ` and ${data}`}` : 'none yet');
  if (isRoot()) fine('postgres user', `uid ${unprivilegedUser()?.uid} (it refuses to run as root)`);
  return { isRunning };
}

/** @param isRunning whether this stack is running; then it is the stack itself that uses the ports */
async function ports(isRunning: boolean) {
  const { gateway, base, parts: byPart, probes } = portsFrom(APP_NAMES);
  title(`Ports (GATEWAY_PORT=${gateway}, STACK_PORT_BASE=${base})`);
  const all: [string, number][] = [
    ['gateway', gateway],
    ...Object.entries(byPart),
    ...Object.entries(probes).map(([name, port]): [string, number] => [`${name} probe`, port]),
  ];
  for (const [name, port] of all) {
    if (await isFree(port, name === 'livekitUdp' ? 'udp' : 'tcp')) {
      if (!isRunning) fine(name, `${port} free`);
      continue;
    }
    const holder = holderOf(port) ?? 'another program';
    if (isRunning) fine(name, `${port} used by ${holder}`);
    else
      bad(name, `${port} is taken by ${holder}`, name === 'gateway' ? 'stop it, or set GATEWAY_PORT' : 'stop it, or set STACK_PORT_BASE');
  }
}

function disk(folders: string[]) {
  title('Disk');
  for (const folder of folders) {
    const free = freeBytes(folder) / 1024 ** 3;
    if (free < 1) bad(`${free.toFixed(1)} GB free`, folder, 'make room, or put STACK_HOME and STACK_CACHE on another disk');
    else fine(`${free.toFixed(1)} GB free`, folder);
  }
}

async function main() {
  const home = stackHome();
  const cache = stackCache();
  process.stdout.on('error', () => {});
  await toolVersions();
  await parts(cache);
  await programs();
  const { isRunning } = running(home);
  await ports(isRunning);
  disk([...new Set([REPO, home, cache])]);
  process.stdout.write(problems === 0 ? '\nNothing to fix.\n' : `\n${problems} thing${problems === 1 ? '' : 's'} to fix.\n`);
  process.exitCode = problems === 0 ? 0 : 1;
}

void command(main());
