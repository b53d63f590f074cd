import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART, render } from '../../deploy/support/chart.js';
import type { Manifest } from '../../deploy/support/manifests.js';
import { helm, readYaml, REPO } from '../../deploy/support/programs.js';
import type { Call } from './shell.js';

const SHORT: Record<string, string> = { deploy: 'Deployment', deployment: 'Deployment', svc: 'Service' };
/** Options from the manuals of pg_dump, pg_dumpall and pg_restore. */
const POSTGRES =
  /^(--format=custom|--file(=.+)?|--roles-only|--no-role-passwords|-d|--dbname|--single-transaction|--exit-on-error|postgres:\/\/.+|classroom\.dump|roles\.sql)$/;

/** @returns the errors in a call of a program that is not available @param cwd folder in which it was called */
export async function faultsOf({ program, args, input }: Call, cwd: string): Promise<string[]> {
  switch (program) {
    case 'docker':
      return ofDocker(args, cwd);
    case 'kubectl':
      return [...(await ofKubectl(args, cwd)), ...(await ofInput(input))];
    case 'helm':
      return ofHelm(args, cwd);
    case 'sudo':
    case 'journalctl':
      return args
        .join(' ')
        .replaceAll(/^systemctl|(enable|stop|start|restart|--now|--unit|--follow)\b/g, '')
        .trim() === 'classroom'
        ? []
        : [`no unit of the page: ${args.join(' ')}`];
    case 'aws': {
      const [service = '', command = '', ...rest] = args;
      const files = rest.flatMap((arg) => (arg.startsWith('file://') ? [arg.slice('file://'.length)] : []));
      const problems = files.filter((file) => !existsSync(join(cwd, file))).map((file) => `there is no ${file}`);
      return service === 's3api' && /^put-bucket-[a-z-]+$/.test(command) ? problems : [`aws ${args.join(' ')} is not known`];
    }
    case 'npm':
      if (args[0] === 'run') return args[1] && args[1] in OUR_SCRIPTS ? [] : [`npm ${args.join(' ')} is not known`];
      return args[0] === 'test' || args.slice(1).every((address) => ourArchives().includes(address.split('/packages/')[1] ?? ''))
        ? []
        : [`npm ${args.join(' ')} is not known`];
    case 'pip':
      return args[0] === 'install' && args.slice(1).every((address) => ourWheels().includes(address.split('/packages/')[1] ?? ''))
        ? []
        : [`pip ${args.join(' ')} is not known`];
    default:
      return args.filter((arg) => !POSTGRES.test(arg)).map((arg) => `${program} takes no ${arg}`);
  }
}

const OUR_SCRIPTS = (JSON.parse(readFileSync(join(REPO, 'package.json'), 'utf8')) as { scripts: object }).scripts;

/** The archives that a gateway serves at /packages/. */
const ourArchives = () =>
  globSync('libs/*/package.json', { cwd: REPO }).map((file) => {
    const { name, version } = JSON.parse(readFileSync(join(REPO, file), 'utf8')) as { name: string; version: string };
    return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  });

const ourWheels = () =>
  globSync('libs/*/pyproject.toml', { cwd: REPO }).map((file) => {
    const text = readFileSync(join(REPO, file), 'utf8');
    const [name = '', version = ''] = ['name', 'version'].map((field) => new RegExp(`^${field} = "(.+)"$`, 'm').exec(text)?.[1]);
    return `${name.replaceAll('-', '_')}-${version}-py3-none-any.whl`;
  });

/** Separates long options with their values from other arguments. */
function take(args: string[], withValue: string[]): { options: Record<string, string[]>; rest: string[] } {
  const options: Record<string, string[]> = {};
  const rest: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const [name = '', value] = arg.split(/=(.*)/s);
    if (!arg.startsWith('-')) rest.push(arg);
    else (options[name] ??= []).push(value ?? (withValue.includes(name) ? (args[(at += 1)] ?? '') : ''));
  }
  return { options, rest };
}

const unknown = (options: Record<string, unknown>, known: string[]) =>
  Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => `${name} is not known`);

async function ofDocker(args: string[], cwd: string): Promise<string[]> {
  if (args[0] === 'build') {
    const { options, rest } = take(args.slice(1), ['--file', '--build-arg', '--tag']);
    const apps = (options['--build-arg'] ?? [])
      .map((it) => it.replace(/^APP=/, ''))
      .filter((app) => !existsSync(join(REPO, 'apps', app, 'src')));
    const files = [...(options['--file'] ?? []), ...rest].filter((file) => !existsSync(join(cwd, file)));
    return [...unknown(options, ['--file', '--build-arg', '--tag', '--push']), ...[...apps, ...files].map((it) => `there is no ${it}`)];
  }
  if (args[0] === 'buildx') {
    const { options, rest } = take(args.slice(1), ['--file']);
    const files = (options['--file'] ?? []).filter((file) => !existsSync(join(cwd, file)));
    return [
      ...unknown(options, ['--file', '--push']),
      ...files.map((file) => `there is no ${file}`),
      ...rest.filter((it) => it !== 'bake'),
    ];
  }
  const { documents } = await readYaml<{ services: Record<string, { profiles?: string[] }> }>(
    readFileSync(join(REPO, 'docker-compose.yml'), 'utf8'),
  );
  const services = documents[0]?.services ?? {};
  const {
    options,
    rest: [compose, verb, service],
  } = take(args, ['--profile', '--since', '--env']);
  const profiles = (options['--profile'] ?? []).filter((profile) => !Object.values(services).some((it) => it.profiles?.includes(profile)));
  const needsService = verb === 'exec' || verb === 'logs';
  return [
    compose === 'compose' && ['up', 'exec', 'logs', 'down'].includes(verb ?? '') ? [] : [`docker ${args.join(' ')} is not known`],
    profiles.map((profile) => `there is no profile ${profile}`),
    needsService && !(service && service in services) ? [`there is no service ${service}`] : [],
  ].flat();
}

/** Checks names of the release `vc` in the namespace `school`, as the pages use them. */
async function ofKubectl(args: string[], cwd: string): Promise<string[]> {
  const manifests = await render('production');
  const { options, rest } = take(args, ['-n', '-l', '-o', '-f']);
  if (options['-n']?.[0] === 'livekit') return [];
  const named = rest.flatMap((it) => (/^(deploy|deployment|svc)\/(.+)$/.exec(it)?.slice(1, 3) ? [it] : []));
  const missing = named.filter((it) => {
    const [kind = '', name] = it.split('/');
    return !manifests.some((manifest) => manifest.kind === SHORT[kind] && manifest.metadata.name === name);
  });
  const labels = (options['-l'] ?? []).filter((label) => !hasLabel(manifests, label));
  const files = (options['--from-file'] ?? []).filter((file) => !existsSync(join(REPO, file)));
  const listed = (options['--from-env-file'] ?? []).flatMap((file) => readFileSync(join(cwd, file), 'utf8').trim().split('\n'));
  const pairs = [...(options['--from-literal'] ?? []), ...listed];
  const secret = rest[0] === 'create' && rest[1] === 'secret' ? await ofSecret(rest[3] ?? '', pairs) : [];
  return [
    ...missing.map((it) => `the chart renders no ${it}`),
    ...labels.map((it) => `nothing has the label ${it}`),
    ...files.map((it) => `there is no ${it}`),
    ...secret,
  ];
}

function hasLabel(manifests: Manifest[], label: string): boolean {
  const [name = '', value] = label.split('=');
  return JSON.stringify(manifests).includes(`"${name}":"${value}"`);
}

/** Checks that a secret gets each key that the chart must read from it with its defaults or the production example, and no other than it reads. */
async function ofSecret(name: string, pairs: string[]): Promise<string[]> {
  const manifests = [...(await render('defaults')), ...(await render('production'))];
  const references = secretKeysIn(manifests).filter((reference) => reference.name === name);
  const read = new Set(references.map(({ key }) => key));
  const needed = new Set(references.flatMap(({ key, optional }) => (optional ? [] : [key])));
  const put = new Set(pairs.map((it) => it.split('=')[0] ?? ''));
  return [
    ...(read.size === 0 ? [`the chart reads no secret ${name}`] : []),
    ...[...needed].filter((key) => !put.has(key)).map((key) => `${name} lacks ${key}`),
    ...[...put].filter((key) => !read.has(key)).map((key) => `the chart does not read ${key} of ${name}`),
  ];
}

interface SecretKey {
  name: string;
  key: string;
  optional?: boolean;
}

/** The references to keys of secrets, wherever a value holds one. */
function secretKeysIn(value: unknown): SecretKey[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => (name === 'secretKeyRef' ? [held as SecretKey] : secretKeysIn(held)));
}

/** Checks manifests that were piped to the program. */
async function ofInput(input: string): Promise<string[]> {
  if (input === '') return [];
  const { documents, errors } = await readYaml<{ kind: string; spec: { groups: unknown[] } }>(input);
  const rules = documents.filter((it) => it?.kind === 'PrometheusRule' && it.spec.groups.length > 0);
  const files = globSync('deploy/helm/virtual-classroom/files/alerts/*.yaml', { cwd: REPO });
  return [...errors, ...(rules.length === files.length ? [] : [`${rules.length} of ${files.length} files of rules arrived`])];
}

async function ofHelm(args: string[], cwd: string): Promise<string[]> {
  const {
    options,
    rest: [verb, release, chart],
  } = take(args, ['--namespace', '--values', '--timeout', '--set']);
  if (verb !== 'upgrade' || join(REPO, chart ?? '') !== CHART) return [`helm ${args.join(' ')} is not known`];
  const given = ['--namespace', '--values', '--set'].flatMap((name) =>
    (options[name] ?? []).flatMap((value) => [name, name === '--values' ? join(cwd, value) : value]),
  );
  const { code, stderr } = await helm(['template', String(release), CHART, ...given]);
  return [
    ...unknown(options, ['--install', '--namespace', '--values', '--wait', '--timeout', '--set', '--rollback-on-failure']),
    ...(code === 0 ? [] : [stderr]),
  ];
}
