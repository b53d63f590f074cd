import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { readYaml, REPO } from './support/programs.js';

jest.setTimeout(60_000);

interface Component {
  name: string;
  purl: string;
  version?: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  externalReferences?: { type: string; hashes?: { alg: string; content: string }[] }[];
}
interface Bom {
  serialNumber: string;
  metadata: { timestamp?: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}
const { LICENSES_IN_FILES, makeSboms, textOf } = require('../../tools/supply/sbom') as {
  LICENSES_IN_FILES: Record<string, string>;
  makeSboms(env?: NodeJS.ProcessEnv): Promise<Map<string, Bom>>;
  textOf(bom: Bom): string;
};

type Versions = Record<string, string>;
interface LockFile {
  importers: Record<
    string,
    Partial<Record<'dependencies' | 'optionalDependencies' | 'devDependencies', Record<string, { version: string }>>>
  >;
  snapshots: Record<string, { dependencies?: Versions; optionalDependencies?: Versions }>;
  packages: Record<string, { resolution: { integrity: string }; os?: string[]; cpu?: string[]; peerDependenciesMeta?: object }>;
}

/** Packages whose license allows use and distribution as a service and in an image, without duties for our own code. */
const ALLOWED_LICENSES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
  'Zlib',
];
/** The license of a font allows use in a page and in a document. */
const ALLOWED_FOR: Record<string, string> = {
  '@expo-google-fonts/noto-emoji': 'OFL-1.1',
  '@fontsource-variable/figtree': 'OFL-1.1',
  'dejavu-fonts-ttf': 'Bitstream-Vera',
};

const STORE = join(REPO, 'node_modules', '.pnpm');
const isOwn = ({ purl }: Component) => purl.startsWith('pkg:npm/%40classroom/') || purl.startsWith('pkg:npm/%40virtual-classroom/');
const isPackage = (it: Component) => it.purl.startsWith('pkg:npm/') && !isOwn(it);
const sha512 = (integrity: string) => {
  expect(integrity).toMatch(/^sha512-/);
  return Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
};
/** @returns name@version */
const idOf = ({ purl }: Component) => decodeURIComponent(purl.slice('pkg:npm/'.length));
/** @param license as package.json states it: an SPDX expression */
function isAllowed(id: string, license: unknown): boolean {
  if (typeof license !== 'string') return false;
  const allowed = [...ALLOWED_LICENSES, ALLOWED_FOR[id.slice(0, id.lastIndexOf('@'))]];
  const choices = license.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((it) => allowed.includes(it)));
}
const purlOf = (id: string) => `pkg:npm/${id.replace(/^@/, '%40')}`;

/** @returns the production dependencies of a project of the lock file, at any depth: integrity by name@version */
function lockedFor(lock: LockFile, project: string): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  // The compiler and types, which some packages accept as optional peers.
  const development = { ...lock.importers['.']?.devDependencies, ...lock.importers[project]?.devDependencies };
  const add = (key: string) => {
    if (seen.has(key)) return;
    seen.add(key);
    const id = key.replace(/\(.*/, '');
    const { resolution, os = [process.platform], cpu = [process.arch], peerDependenciesMeta: peers = {} } = lock.packages[id] ?? {};
    // An image has the packages of its own platform.
    if (!os.includes(process.platform) || !cpu.includes(process.arch)) return;
    found.set(id, resolution?.integrity ?? '');
    const { dependencies, optionalDependencies } = lock.snapshots[key] ?? {};
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      if (name in peers && name in development) continue;
      add(lock.snapshots[`${name}@${version}`] ? `${name}@${version}` : version);
    }
  };
  const visit = (folder: string) => {
    if (seen.has(folder)) return;
    seen.add(folder);
    const { dependencies, optionalDependencies } = lock.importers[folder] ?? {};
    for (const [name, { version }] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      if (version.startsWith('link:')) visit(posix.join(folder, version.slice('link:'.length)));
      else add(`${name}@${version}`);
    }
  };
  visit(project);
  return found;
}

let boms: Map<string, Bom>;
let lock: LockFile;
const bomOf = (name: string) => boms.get(name) as Bom;

beforeAll(async () => {
  [boms, lock] = await Promise.all([
    makeSboms({}),
    readYaml<LockFile>(readFileSync(join(REPO, 'pnpm-lock.yaml'), 'utf8')).then(({ documents: [document] }) => document as LockFile),
  ]);
});

it('each package of the lock file is from the registry and has a hash', () => {
  const resolutions = Object.entries(lock.packages).map(([id, { resolution }]) => [id, Object.keys(resolution), resolution.integrity]);
  expect(resolutions).toEqual(resolutions.map(([id]) => [id, ['integrity'], expect.stringMatching(/^sha512-/)]));
});

it('the settings of pnpm refuse build scripts, fresh releases, weaker evidence of origin and other sources', async () => {
  const { documents } = await readYaml<Record<string, unknown>>(readFileSync(join(REPO, 'pnpm-workspace.yaml'), 'utf8'));
  const [{ allowBuilds, ...settings } = {}] = documents;
  expect(settings).toMatchObject({
    saveExact: true,
    minimumReleaseAge: 3 * 24 * 60,
    trustPolicy: 'no-downgrade',
    blockExoticSubdeps: true,
  });
  expect(Object.values(allowBuilds as object).filter((it) => it !== false)).toEqual([]);
  for (const exclusion of ['minimumReleaseAgeExclude', 'trustPolicyExclude']) expect(settings).not.toHaveProperty(exclusion);
});

const APPS = readdirSync(join(REPO, 'apps')).filter((app) => !['classroom', 'console'].includes(app));

it('there is a document for the image of every app, and one for the servers', () => {
  expect([...boms.keys()].sort()).toEqual([...APPS, 'parts'].sort());
});

describe.each(APPS)('the bill of materials of %s', (app) => {
  it('has exactly the production dependencies of the lock file, with their hashes', () => {
    const locked = new Map([
      ...(app === 'gateway' ? ['apps/classroom', 'apps/console'].flatMap((page) => [...lockedFor(lock, page)]) : []),
      ...lockedFor(lock, `apps/${app}`),
    ]);
    const expected = [...locked].map(([id, integrity]) => [purlOf(id), sha512(integrity)]);
    const listed = bomOf(app)
      .components.filter(isPackage)
      .map(({ purl, externalReferences = [] }) => [
        purl,
        externalReferences.find(({ type }) => type === 'distribution')?.hashes?.find(({ alg }) => alg === 'SHA-512')?.content,
      ]);
    expect(expected.length).toBeGreaterThan(100);
    expect(listed.sort()).toEqual(expected.sort());
  });

  it('has a license and a version for each package', () => {
    const bare = bomOf(app).components.filter((it) => it.purl.startsWith('pkg:npm/') && (!it.version || !it.licenses?.length));
    expect(bare.map(({ purl }) => purl)).toEqual([]);
  });

  it('has the base image and the programs that the Dockerfile adds', () => {
    const programs: Record<string, string[]> = {
      media: ['ffmpeg', 'poppler-utils', 'librsvg2-bin', 'fonts-noto-color-emoji'],
      ai: ['ffmpeg', 'espeak-ng', 'pocketsphinx'],
      recorder: ['ffmpeg', 'chromium', 'fonts-noto-core'],
    };
    const purls = bomOf(app).components.map(({ purl }) => purl);
    const debian = ['ca-certificates', 'tini', ...(programs[app] ?? [])].map((name) => `pkg:deb/debian/${name}?distro=bookworm`);
    expect(purls).toEqual(expect.arrayContaining(debian));
    expect(purls.filter((purl) => purl.startsWith('pkg:docker/node@'))).toHaveLength(1);
  });
});

it('the pages are part of the gateway’s document alone', () => {
  const withReact = [...boms].filter(([, { components }]) => components.some(({ name }) => name === 'react-dom'));
  expect(withReact.map(([name]) => name)).toEqual(['gateway']);
  const { dependencies, metadata } = bomOf('gateway');
  const root = dependencies.find(({ ref }) => ref === metadata.component.purl);
  for (const page of ['classroom', 'console']) expect(root?.dependsOn).toContain(`pkg:npm/%40classroom/${page}@0.2.0`);
});

it('the servers have every image of Compose and every pin of tools/stack/versions.json', () => {
  const purls = bomOf('parts').components.map(({ purl }) => purl);
  const compose = readFileSync(join(REPO, 'docker-compose.yml'), 'utf8');
  const images = [...compose.matchAll(/image: (?!virtual-classroom)(\S+):(\S+)/g)].map(([, name, tag]) => `pkg:docker/${name}@${tag}`);
  expect(images.length).toBeGreaterThan(8);
  expect(purls).toEqual(expect.arrayContaining(images));
  const { parts } = require('../../tools/stack/versions.json') as { parts: Record<string, object> };
  const text = purls.map((purl) => decodeURIComponent(purl)).join('\n');
  for (const pin of Object.values(parts)) {
    const { npm = {}, go } = pin as { npm?: Record<string, string>; go?: string };
    for (const spec of Object.values(npm)) expect(text).toContain(`pkg:npm/${spec}`);
    if (go) expect(text).toContain(`pkg:golang/${go.replace(/\/cmd\/\w+/, '').split('@')[0]}@${go.split('@')[1]}`);
  }
});

it('each document is valid CycloneDX 1.6', async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  const errors = await Promise.all([...boms].map(async ([name, bom]) => [name, await validator.validate(textOf(bom))]));
  expect(errors).toEqual([...boms.keys()].map((name) => [name, null]));
  expect(await validator.validate(textOf({ ...bomOf('room'), serialNumber: 'none' }))).not.toBeNull();
});

it('each reference names a component of the same document', () => {
  for (const [, { components, dependencies, metadata }] of boms) {
    const known = new Set([metadata.component, ...components].map(({ purl }) => purl));
    expect(dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !known.has(ref))).toEqual([]);
  }
});

it('has the same bytes each time, and the time of SOURCE_DATE_EPOCH if it is set', async () => {
  const again = await makeSboms({});
  expect([...again.values()].map(textOf)).toEqual([...boms.values()].map(textOf));
  expect(bomOf('room').metadata.timestamp).toBeUndefined();
  const dated = (await makeSboms({ SOURCE_DATE_EPOCH: '1700000000' })).get('room') as Bom;
  expect(dated.metadata.timestamp).toBe('2023-11-14T22:13:20.000Z');
  expect(dated.serialNumber).not.toBe(bomOf('room').serialNumber);
});

describe('the license of a production dependency', () => {
  /** @returns the package.json of each production dependency that is installed here, by name@version */
  function manifests(): Map<string, { license?: unknown }> {
    const folders = readdirSync(STORE);
    const ids = new Set(APPS.flatMap((app) => bomOf(app).components.filter(isPackage).map(idOf)));
    return new Map(
      [...ids].map((id) => {
        const folder = folders.find((it) => it === id.replace('/', '+') || it.startsWith(`${id.replace('/', '+')}_`)) ?? `${id} is missing`;
        const file = join(STORE, folder, 'node_modules', id.slice(0, id.lastIndexOf('@')), 'package.json');
        const { license } = JSON.parse(readFileSync(file, 'utf8')) as { license?: unknown };
        return [id, { license: LICENSES_IN_FILES[id.slice(0, id.lastIndexOf('@'))] ?? license }];
      }),
    );
  }

  it('is on the list', () => {
    const found = manifests();
    const others = [...found].filter(([id, { license }]) => !isAllowed(id, license));
    expect(others.map(([id, { license }]) => `${id}: ${JSON.stringify(license)}`)).toEqual([]);
    expect(found.size).toBeGreaterThan(300);
  });

  it('is refused if it is unknown, missing, or joined to one that is not on the list', () => {
    for (const license of ['GPL-3.0-only', undefined, 'SEE LICENSE IN LICENSE', '(MIT AND GPL-2.0)', 'OFL-1.1', { type: 'MIT' }]) {
      expect(isAllowed('left@1.0.0', license)).toBe(false);
    }
    expect(isAllowed('left@1.0.0', '(GPL-2.0 OR MIT)')).toBe(true);
  });

  it('is the one that the documents state', () => {
    const found = manifests();
    for (const app of APPS) {
      for (const component of bomOf(app).components.filter(isPackage)) {
        const [{ license, expression } = {}] = component.licenses ?? [];
        expect([component.purl, license?.id ?? expression]).toEqual([component.purl, found.get(idOf(component))?.license]);
      }
    }
  });
});
