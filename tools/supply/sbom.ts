// npm run sbom: writes a CycloneDX bill of materials for the image of each app, and one for the servers that they depend on.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { command, REPO, stackHome } from '../stack/context.ts';
import { run } from '../stack/run.ts';
import { install, PNPM, toolEnvironment } from '../stack/toolchain.ts';
import { type Component, deployableApps, imageComponents, partComponents } from './components.ts';

/** Version of CycloneDX. */
const SPEC_VERSION = '1.6';
/** Apps whose build is part of another app's image. */
const INCLUDED: Record<string, string[]> = { gateway: ['classroom', 'console'] };
const PARTS = 'parts';

export interface Bom {
  bomFormat: string;
  specVersion: string;
  serialNumber?: string;
  metadata: { timestamp?: string; component: Component; [field: string]: unknown };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
  [field: string]: unknown;
}

const read = (file: string) => fs.readFileSync(path.join(REPO, file), 'utf8');
const byText =
  <T>(textOf: (item: T) => string) =>
  (a: T, b: T) =>
    textOf(a) < textOf(b) ? -1 : Number(textOf(a) > textOf(b));

/** @returns the production dependencies of each app, from the lock file and the installed packages, as pnpm describes them */
async function askPnpm(apps: string[]): Promise<Map<string, Bom>> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-sbom-'));
  try {
    const filters = apps.map((app) => `--filter=@classroom/${app}`);
    const format = ['--sbom-format=cyclonedx', `--sbom-spec-version=${SPEC_VERSION}`, '--sbom-type=application'];
    await run(PNPM, [...filters, 'sbom', '--prod', ...format, '--split', `--out=${folder}/%s.json`], {
      cwd: REPO,
      env: toolEnvironment(),
      logFile: path.join(stackHome(), 'logs', 'sbom.log'),
      what: 'pnpm sbom',
      timeoutMs: 120_000,
    });
    const documentOf = (app: string) => JSON.parse(fs.readFileSync(path.join(folder, `classroom-${app}.json`), 'utf8')) as Bom;
    return new Map(apps.map((app) => [app, documentOf(app)]));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const distinct = <T>(items: T[], idOf: (item: T) => string) => [...new Map(items.map((item) => [idOf(item), item])).values()];

/** @param others documents whose content is part of the same image @param added components outside of npm */
function combine(bom: Bom, others: Bom[], added: Component[]): Bom {
  const all = [...others.flatMap((other) => [other.metadata.component, ...other.components]), ...bom.components, ...added];
  const root = bom.metadata.component['bom-ref'];
  const direct = [...others.map((other) => other.metadata.component['bom-ref']), ...added.map((it) => it['bom-ref'])];
  const edges = [...others, bom].flatMap((it) => it.dependencies);
  const known = edges.find(({ ref }) => ref === root)?.dependsOn ?? [];
  return {
    ...bom,
    components: distinct(all, (it) => it['bom-ref']),
    dependencies: distinct(
      [...edges, ...added.map((it) => ({ ref: it['bom-ref'] })), { ref: root, dependsOn: [...known, ...direct] }],
      ({ ref }) => ref,
    ),
  };
}

/** Licenses of packages that contain their license as a file and do not name it in package.json, by name. */
export const LICENSES_IN_FILES: Readonly<Record<string, string>> = { 'dejavu-fonts-ttf': 'Bitstream-Vera', fuzzy: 'MIT', 'png-js': 'MIT' };

/**
 * The same bytes for the same commit: sorted, with the license of this repository on its own packages, the time of SOURCE_DATE_EPOCH (seconds)
 * or none, and a serial number made from the content.
 */
function settle(bom: Bom, epoch: string | undefined): Bom {
  const { license } = JSON.parse(read('package.json')) as { license: string };
  const isOwn = ({ purl }: Component) => /^pkg:npm\/%40(virtual-)?classroom\//.test(purl);
  const licensed = (it: Component) => {
    const id = isOwn(it) ? license : LICENSES_IN_FILES[/^pkg:npm\/([^@]+)@/.exec(it.purl)?.[1] ?? ''];
    return id === undefined ? it : { ...it, licenses: [{ license: { id } }] };
  };
  // JSON omits undefined fields: the current time and the random number that pnpm sets.
  const settled = {
    ...bom,
    serialNumber: undefined,
    metadata: {
      ...bom.metadata,
      timestamp: epoch ? new Date(Number(epoch) * 1000).toISOString() : undefined,
      component: licensed(bom.metadata.component),
    },
    components: bom.components.map(licensed).sort(byText((it) => it['bom-ref'])),
    dependencies: bom.dependencies
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: [...new Set(dependsOn)].sort() }))
      .sort(byText(({ ref }) => ref)),
  };
  const hash = createHash('sha256').update(JSON.stringify(settled)).digest('hex');
  // RFC 9562, version 8.
  const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  return { ...settled, serialNumber: `urn:uuid:${uuid}` };
}

/** The servers are not packages of ours, so their document starts from an empty one. */
function partsBom(version: string): Bom {
  const purl = `pkg:generic/virtual-classroom-${PARTS}@${version}`;
  return {
    $schema: `http://cyclonedx.org/schema/bom-${SPEC_VERSION}.schema.json`,
    bomFormat: 'CycloneDX',
    specVersion: SPEC_VERSION,
    version: 1,
    metadata: { component: { type: 'application', name: `virtual-classroom-${PARTS}`, version, purl, 'bom-ref': purl } },
    components: [],
    dependencies: [],
  };
}

/**
 * The packages must be installed: their licenses are read from them.
 * @returns a CycloneDX document for each app with an image, and one named `parts` for the servers of Compose and `npm start`
 */
export async function makeSboms(env: NodeJS.ProcessEnv = process.env): Promise<Map<string, Bom>> {
  const dockerfile = read('deploy/docker/Dockerfile');
  const apps = deployableApps(dockerfile);
  const described = await askPnpm([...apps, ...Object.values(INCLUDED).flat()]);
  const documentOf = (app: string) => {
    const bom = described.get(app);
    if (!bom) throw new Error(`pnpm wrote no document for ${app}.`);
    return bom;
  };
  const boms = new Map(
    apps.map((app) => [app, combine(documentOf(app), (INCLUDED[app] ?? []).map(documentOf), imageComponents(dockerfile, app))]),
  );
  const { version } = JSON.parse(read('package.json')) as { version: string };
  boms.set(PARTS, combine(partsBom(version), [], partComponents(read('docker-compose.yml'))));
  return new Map([...boms].map(([name, bom]) => [name, settle(bom, env.SOURCE_DATE_EPOCH)]));
}

/** @returns the text of the file */
export const textOf = (bom: Bom): string => `${JSON.stringify(bom, null, 2)}\n`;

async function main() {
  const { values } = parseArgs({ options: { out: { type: 'string', default: path.join('dist', 'sbom') } } });
  const folder = path.resolve(REPO, values.out);
  await install({ home: stackHome() });
  const boms = await makeSboms();
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, bom] of boms) {
    const file = path.join(folder, `${name}.cdx.json`);
    fs.writeFileSync(file, textOf(bom));
    process.stdout.write(`${path.relative(process.cwd(), file)}: ${bom.components.length} components\n`);
  }
}

if (import.meta.main) void command(main());
