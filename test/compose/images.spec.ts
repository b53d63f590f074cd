import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import BAKE from '../../deploy/docker/docker-bake.json';

const run = promisify(execFile);
const MB = 1_000_000;
/**
 * Megabytes of an image without the base that all share, which is larger where it is made by debootstrap. Of billing's, 130 are fonts for statements in all
 * scripts.
 */
const MOST: Record<string, number> = { gateway: 220, billing: 310, ai: 900, media: 850, recorder: 1_650 };
const MOST_OF_OTHERS = 140;

interface Image {
  Size: number;
  Config: { User: string; Labels: Record<string, string>; Entrypoint: string[]; Env: string[] };
  RootFS: { Layers: string[] };
}

const docker = async (...args: string[]) => (await run('/usr/bin/docker', args, { maxBuffer: 64 * MB })).stdout.trim();
const inspect = async (image: string) => (JSON.parse(await docker('image', 'inspect', image)) as Image[])[0] as Image;

describe.each(BAKE.target.app.matrix.app)('the image of %s', (app) => {
  const name = `virtual-classroom/${app}:local`;

  it('runs as a user without rights, says what it is, and contains no secret', async () => {
    const { Config } = await inspect(name);
    const { version } = require(join('..', '..', 'package.json')) as { version: string };
    expect(Config.User).toBe('1000:1000');
    expect(Config.Labels).toMatchObject({
      'org.opencontainers.image.title': `virtual-classroom-${app}`,
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(Config.Entrypoint).toEqual(['/usr/bin/tini', '--']);
    expect(Config.Env.filter((variable) => /SECRET|PASSWORD|KEY=/.test(variable))).toEqual([]);
  });

  it('is small, and shares the base with the others', async () => {
    const [image, base] = await Promise.all([inspect(name), inspect(BAKE.variable.NODE_IMAGE.default)]);
    expect(image.RootFS.Layers.slice(0, base.RootFS.Layers.length)).toEqual(base.RootFS.Layers);
    expect((image.Size - base.Size) / MB).toBeLessThan(MOST[app] ?? MOST_OF_OTHERS);
  });

  const inside = async (script: string) =>
    (await docker('run', '--rm', '--network=none', '--entrypoint', 'sh', name, '-c', `cd /app; ${script}`)).split('\n').filter(Boolean);

  it('has no sources, build tools or files that its user may change', async () => {
    const names = await inside('ls . node_modules/.pnpm');
    expect(names.filter((file) => /^(src|test|jest|typescript|vite|nx|oxlint|@swc\+core)\b/.test(file))).toEqual([]);
    expect(await inside('find . -writable ! -type l')).toEqual([]);
  });

  it('has files of one time, that of the commit, so that the same files make the same layer', async () => {
    expect((await inside("find dist node_modules -printf '%Ts\\n' | sort -u")).length).toBe(1);
  });
});

describe('the image of the gateway, built a second time without a cache', () => {
  const [first, second] = ['local', 'rebuilt'].map((tag) => `virtual-classroom/gateway:${tag}`) as [string, string];
  /** V8's compile cache differs each time that it is made. */
  const EVERYTHING = 'find / -xdev -path /proc -prune -o -path /sys -prune -o -path /dev -prune -o -path /app/dist/bundle.cache -prune -o';
  /** Type, rights, owner, path and target of each file, then the hash of each. */
  const LIST = `${EVERYTHING} -printf '%y %m %U:%G %p %l\\n'; ${EVERYTHING} -type f -exec sha256sum {} +`;
  const files = async (image: string) =>
    (await docker('run', '--rm', '--network=none', '--user=0', '--hostname=image', '--entrypoint', 'sh', image, '-c', LIST))
      .split('\n')
      .sort();

  it('has the same files with the same content and rights', async () => {
    expect(await files(second)).toEqual(await files(first));
  });
});
