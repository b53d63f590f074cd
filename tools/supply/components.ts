import versions from '../stack/versions.json' with { type: 'json' };

/** A component of a CycloneDX document. The fields are those of its JSON format. */
export interface Component {
  type: string;
  name: string;
  version?: string;
  purl: string;
  'bom-ref': string;
  hashes?: { alg: string; content: string }[];
  licenses?: unknown[];
  externalReferences?: { type: string; url: string; hashes?: { alg: string; content: string }[] }[];
}

const of = (type: string, name: string, purl: string, version?: string): Component => ({
  type,
  name,
  ...(version ? { version } : {}),
  purl,
  'bom-ref': purl,
});

/** @param distro name of the Debian release. The version is the newest of that release when an image is built, so it is not known here. */
const debian = (name: string, distro?: string) => of('application', name, `pkg:deb/debian/${name}${distro ? `?distro=${distro}` : ''}`);

/** @param image name:tag, with a digest if it is pinned */
function container(image: string): Component {
  const [tagged = '', digest] = image.split('@sha256:');
  const [name = '', tag = ''] = tagged.split(':');
  const component = of('container', name, `pkg:docker/${name}@${tag}`, tag);
  return digest ? { ...component, hashes: [{ alg: 'SHA-256', content: digest }] } : component;
}

/** A stage of a Dockerfile: the image that it starts from, and the Debian packages that it installs. */
interface Stage {
  from: string;
  packages: string[];
}

/** An argument in the name of a stage has its default. */
function stagesOf(dockerfile: string): Map<string, Stage> {
  const defaults = new Map([...dockerfile.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]));
  const named = dockerfile.replaceAll(/^FROM \$\{(\w+)\}/gm, (from, name: string) => `FROM ${defaults.get(name) ?? from}`);
  const blocks = named.split(/^FROM /m).slice(1);
  return new Map(
    blocks.map((block) => {
      const [, from = '', name = ''] = /^(\S+)(?: AS (\S+))?/.exec(block) ?? [];
      const installed = [...block.matchAll(/apt-get install (?:--\S+ )*([^\\\n]+)/g)];
      return [name, { from, packages: installed.flatMap(([, packages = '']) => packages.trim().split(/\s+/)) }];
    }),
  );
}

/** @param dockerfile text of the Dockerfile @returns the apps that have an image */
export const deployableApps = (dockerfile: string): string[] =>
  [...stagesOf(dockerfile).keys()].filter((name) => name.startsWith('runtime-')).map((name) => name.replace('runtime-', ''));

/** @param dockerfile text of the Dockerfile @returns the base image of an app's image, and the Debian packages that are added to it */
export function imageComponents(dockerfile: string, app: string): Component[] {
  const [, image = ''] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile) ?? [];
  const [, distro] = /:[\d.]+-(\w+)/.exec(image) ?? [];
  const stages = stagesOf(dockerfile);
  const packages: string[] = [];
  for (let stage = stages.get(`runtime-${app}`); stage; stage = stages.get(stage.from)) packages.push(...stage.packages);
  return [container(image), ...packages.map((name) => debian(name, distro))];
}

/** @param spec package and version, as `go install` takes them: the path of a command follows its module */
function golang(spec: string): Component {
  const [file = '', version = ''] = spec.split('@');
  const [module = '', command] = file.split('/cmd/');
  return of('application', module, `pkg:golang/${module}@${version}${command ? `#cmd/${command}` : ''}`, version);
}

function npm(spec: string): Component {
  const at = spec.lastIndexOf('@');
  const [name, version] = [spec.slice(0, at), spec.slice(at + 1)];
  return of('application', name, `pkg:npm/${name.replace('@', '%40')}@${version}`, version);
}

/** The ways in which a part can be obtained, of tools/stack/versions.json. */
interface Pin {
  npm?: Record<string, string>;
  go?: string;
  apt?: string;
  debs?: string[];
  suite?: string;
}

/** @param compose text of docker-compose.yml @returns the servers that Compose and `npm start` run, from each source that they may have */
export function partComponents(compose: string): Component[] {
  const images = [...compose.matchAll(/^ +image: (\S+)$/gm)].map(([, image = '']) => image);
  const pins = Object.values(versions.parts as Record<string, Pin>);
  return [
    ...images.filter((image) => !image.startsWith('virtual-classroom/')).map(container),
    ...pins.flatMap(({ npm: packages = {}, go, apt, debs = [], suite }) => [
      ...Object.values(packages).map(npm),
      ...(go ? [golang(go)] : []),
      ...(apt ? [debian(apt)] : []),
      ...debs.map((name) => debian(name, suite)),
    ]),
  ];
}
