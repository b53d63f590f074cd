'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { ask } = require('./stack/run');
const { isAlive, listPids, readPid, runDir } = require('./stack/pidfile');
const { REPO, isRoot, stackCache, stackHome, unprivilegedUser } = require('./stack/paths');
const { OFFSETS, derivePortBase, holderOf, isFree, layOut, portFrom } = require('./stack/ports');
const { freeBytes } = require('./stack/disk');
const { isInstalled, nodeBinary, PNPM } = require('./stack/toolchain');
const { externalParts, PART_NAMES } = require('./stack/parts');
const { find } = require('./stack/parts/obtain');
const { PARTS, PINS } = require('./stack/parts/find');
const { dataFolder } = require('./stack/parts/postgres');
const { APPS } = require('./stack/apps');
const { PROGRAMS, obtainProgram } = require('./stack/programs');
const { canInstall } = require('./stack/parts/debian');
const { tell } = require('./stack/commands');
const { compare } = require('./stack/version');
const versions = require('./stack/versions.json');

let problems = 0;
/** @param {string} what @param {string} value */
const fine = (what, value) => { process.stdout.write(`  ✓ ${what.padEnd(14)} ${value}\n`); };
/** @param {string} what @param {string} value @param {string} next what to do */
const bad = (what, value, next) => { problems += 1; process.stdout.write(`  ✗ ${what.padEnd(14)} ${value}\n    → ${next}\n`); };
/** @param {string} text */
const title = (text) => { process.stdout.write(`\n${text}\n`); };

async function toolVersions() {
  title('Versions');
  const caller = process.versions.node;
  if (compare(caller, versions.node.min) < 0) bad('node (yours)', caller, `install Node ${versions.node.min} or newer`);
  else fine('node (yours)', `${caller}  ${process.execPath}`);
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

/** @param {string} cache */
async function parts(cache) {
  title(`Parts (cache: ${cache})`);
  const elsewhere = externalParts({}, process.env);
  for (const name of PART_NAMES) {
    if (elsewhere[name]) {
      const { handle, url } = elsewhere[name];
      const where = new URL(url).host;
      await handle.ready().then(() => fine(name, `elsewhere, at ${where}, answers`),
        (/** @type {Error} */ error) => bad(name, `elsewhere, at ${where}, silent`, error.message));
      continue;
    }
    const tools = await find(name, { cache });
    if (tools) { fine(name, `${tools.version}  ${tools.how}  ${tools.where}`); continue; }
    const { go, npm, apt, pypi } = PINS[name];
    const way = go ? `go install ${go}` : npm ? 'an npm package' : [apt && 'apt', pypi && 'pip'].filter(Boolean).join(' or ');
    if (go && !(await ask('go', ['version']))) bad(name, 'not here', `install Go 1.21 or newer, or ${PARTS[name].title}`);
    else fine(name, `not here yet; npm start gets it (${way})`);
  }
}

async function programs() {
  title('Programs');
  for (const name of Object.keys(PROGRAMS)) {
    const found = await PROGRAMS[name].find().catch(() => undefined);
    if (found) fine(name, Object.values(found).join('  '));
    else if (await canInstall()) fine(name, 'not here yet; npm start and npm test install Debian\'s package');
    else await obtainProgram(name).catch((error) => bad(name, `not here: ${PROGRAMS[name].without}`, error.message));
  }
}

/** @param {string} home @returns {{ isRunning: boolean }} */
function running(home) {
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

/** @param {boolean} isRunning then its ports are taken by itself */
async function ports(isRunning) {
  const gateway = portFrom(process.env.GATEWAY_PORT, 'GATEWAY_PORT', 8080);
  const base = portFrom(process.env.STACK_PORT_BASE, 'STACK_PORT_BASE', derivePortBase(gateway));
  title(`Ports (GATEWAY_PORT=${gateway}, STACK_PORT_BASE=${base})`);
  const { parts: byPart, probes } = layOut(base, APPS.map((app) => app.name));
  const all = [['gateway', gateway], ...Object.keys(OFFSETS).map((name) => [name, byPart[name]]), ...Object.entries(probes).map(([name, port]) => [`${name} probe`, port])];
  for (const [name, port] of /** @type {Array<[string, number]>} */ (all)) {
    if (await isFree(port, name === 'livekitUdp' ? 'udp' : 'tcp')) { if (!isRunning) fine(name, `${port} free`); continue; }
    const holder = holderOf(port) ?? 'another program';
    if (isRunning) fine(name, `${port} used by ${holder}`);
    else bad(name, `${port} is taken by ${holder}`, name === 'gateway' ? 'stop it, or set GATEWAY_PORT' : 'stop it, or set STACK_PORT_BASE');
  }
}

/** @param {string[]} folders */
function disk(folders) {
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
  process.stdout.write(problems === 0 ? '\nNothing in the way.\n' : `\n${problems} thing${problems === 1 ? '' : 's'} to mend.\n`);
  process.exitCode = problems === 0 ? 0 : 1;
}

main().catch((error) => { tell(error); process.exitCode = 1; });
