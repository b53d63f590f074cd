import { createHmac } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ApiClient, eventually, isLongForm, newOrganization, RtcParticipant, type RunningStack, sharedStack } from '@classroom/testing';
import { launchBrowser } from './browser.js';
import { installationOf, Quickstart } from './quickstarts/quickstart.js';
import { EmptyFolder } from './sdk/empty-folder.js';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

const { obtainProgram } = require('../../tools/stack/programs') as { obtainProgram(name: 'php'): Promise<{ PHP_PATH: string }> };

/** Folders in which the programs of the pages find what the pages install. */
interface Folder {
  path: string;
  environment?: NodeJS.ProcessEnv;
}

/** Pages that install a package, and what is there afterwards. */
const INSTALLING: Record<string, string> = {
  'docs/guides/quickstarts/node.md': 'node_modules/@virtual-classroom/sdk/dist/index.js',
  'docs/guides/quickstarts/python.md': 'site/virtual_classroom/__init__.py',
  'docs/guides/command-line.md': 'node_modules/.bin/vc',
  'libs/embed/README.md': 'node_modules/@virtual-classroom/embed/dist/index.js',
  'libs/sdk/README.md': 'node_modules/@virtual-classroom/sdk/dist/index.js',
  'libs/sdk-python/README.md': 'site/virtual_classroom/__init__.py',
  'libs/cli/README.md': 'node_modules/.bin/vc',
};

/** The programs of the quickstarts, copied from the pages into empty folders, against a running system. */
describe('the quickstart', () => {
  let stack: RunningStack;
  let browser: Browser;
  let node: EmptyFolder;
  /** An empty folder for each command that installs, in which it has run. */
  const installed = new Map<string, string>();
  /** Where PHP is, in the long form: the short one needs only the programs of `npm start` and of the clients. */
  let php: string | undefined;
  const empty = mkdtempSync(join(tmpdir(), 'classroom-pages-'));
  const running: Quickstart[] = [];

  beforeAll(async () => {
    [stack, browser, node, php] = await Promise.all([
      sharedStack(),
      launchBrowser(),
      EmptyFolder.with('sdk'),
      isLongForm ? obtainProgram('php').then(({ PHP_PATH }) => dirname(PHP_PATH)) : undefined,
    ]);
    const commands = new Set(Object.keys(INSTALLING).map(installationOf));
    await Promise.all([...commands].map(install));
  });

  /** Runs a command of a page in an empty folder. pip installs into it, because a test changes no Python of the machine. */
  async function install(command: string, at: number): Promise<void> {
    const folder = join(empty, String(at));
    mkdirSync(folder);
    const own = {
      GATEWAY: stack.urls.gateway,
      PIP_TARGET: join(folder, 'site'),
      npm_config_cache: join(folder, '.npm'),
      npm_config_update_notifier: 'false',
    };
    await promisify(execFile)('bash', ['-ec', command], { cwd: folder, env: { ...process.env, ...own } });
    installed.set(command, folder);
  }

  const folderOf = (page: string): string => installed.get(installationOf(page)) ?? '';
  afterAll(async () => {
    await Promise.all(running.map((it) => it.stop()));
    await RtcParticipant.disposeAll();
    await browser?.close();
    node?.remove();
    rmSync(empty, { recursive: true, force: true });
  });

  const FOLDERS: Record<string, () => Folder> = {
    'node.md': () => ({
      path: folderOf('docs/guides/quickstarts/node.md'),
      environment: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
    }),
    'python.md': () => {
      const path = folderOf('docs/guides/quickstarts/python.md');
      return { path, environment: { PYTHONPATH: join(path, 'site'), PYTHONDONTWRITEBYTECODE: '1' } };
    },
    ...(isLongForm ? { 'php.md': () => ({ path: empty, environment: { PATH: `${php}:${process.env['PATH']}` } }) } : {}),
  };

  async function start(page: string): Promise<{ school: Quickstart; api: ApiClient }> {
    const host = await Quickstart.freeHost();
    const { value, api } = await newOrganization(stack, { verifiedDomains: [host] });
    const { path = '', environment = {} } = FOLDERS[page]?.() ?? {};
    const env = { PATH: process.env['PATH'], ...environment, GATEWAY: stack.urls.gateway, CREDENTIAL: value };
    const school = await Quickstart.start(page, path, host, env);
    running.push(school);
    return { school, api };
  }

  /** Sends a webhook that is signed as the service does. @returns the status @param sent what arrives in place of the signed body */
  async function webhook(school: Quickstart, signed: object, { sent = signed, at = Date.now() } = {}): Promise<number> {
    const [id, time] = ['evt_1', String(Math.floor(at / 1000))];
    const key = Buffer.from(school.secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key)
      .update(`${id}.${time}.${JSON.stringify(signed)}`)
      .digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,AAAA v1,${signature}` };
    return (await school.request('/webhooks', { method: 'POST', headers, body: JSON.stringify(sent) })).status;
  }

  /** What the class page does with its link. */
  async function enter(api: ApiClient, link: string): Promise<{ livekitToken: string; classroomToken: string }> {
    const { hash } = new URL(link);
    return (await api.bearer(hash.replace('#token=', '')).post('/v1/classroom/session')).body.data;
  }

  it.each(Object.keys(FOLDERS))('of %s shows the class in its page, and its cost when the service says that it is over', async (page) => {
    const { school, api } = await start(page);
    expect(school.lines).toBeLessThan(80);
    expect(await (await school.request('/')).text()).toMatch(/Enter as Sofia.*Enter as Ben/s);

    // Two people at the same time, and one who reloads: one room.
    const [teacher, student] = await Promise.all([school.linkOf('sofia'), school.linkOf('ben'), school.linkOf('ben')]);
    expect((await api.get('/v1/rooms')).body.data.rooms).toMatchObject([{ roomId: school.lesson, title: 'Geometry' }]);
    const tab = await browser.newPage();
    await tab.goto(`http://${school.host}/lesson/sofia`);
    await tab.frameLocator('iframe').locator('[data-action=leave], [data-action=join]').first().waitFor();
    await tab.close();

    const session = await enter(api, teacher);
    const ben = await RtcParticipant.connect(stack.urls.livekitPublic, (await enter(api, student)).livekitToken);
    await eventually(async () => expect((await api.get(`/v1/room/${school.lesson}/status`)).body.data).toMatchObject({ isActive: true }));

    // A refusal that no retry changes: the page says so, and the program runs.
    expect((await api.patch(`/v1/room/${school.lesson}`, { settings: { maxParticipants: 1 } })).status).toBe(200);
    await eventually(async () => expect((await school.request('/lesson/sofia')).status).toBe(502));

    const event = { type: 'room.finished', data: { roomId: school.lesson } };
    expect(await webhook(school, { type: 'ping', data: {} })).toBeLessThan(300);
    expect(await webhook(school, { type: 'ping', data: {} }, { sent: event })).toBe(400);
    expect(await webhook(school, event, { at: Date.now() - 360_000 })).toBe(400);
    expect((await school.request('/webhooks', { method: 'POST', body: JSON.stringify(event) })).status).toBe(400);
    expect(await (await school.request('/')).text()).toContain('Enter as Ben');

    expect((await api.bearer(session.classroomToken).post('/v1/classroom/end')).status).toBe(200);
    await eventually(() => expect(ben.disconnected).toBe(true));

    await eventually(async () => expect(await (await school.request('/')).text()).toMatch(/The lesson is over: \d people, \d+ credits\./));
    const late = await school.request('/lesson/ben');
    expect([late.status, late.headers.get('location')]).toEqual([302, '/']);
  });

  it.each(Object.entries(INSTALLING))('of %s installs by the command that it shows, in an empty folder', async (page, file) => {
    expect(existsSync(join(folderOf(page), file))).toBe(true);
    if (!file.endsWith('vc')) return;
    const { stdout } = await promisify(execFile)(join(folderOf(page), file), ['--version']);
    expect(stdout.trim()).toBe((require('../../package.json') as { version: string }).version);
  });

  it('finds the packages of its gateway on a page that pip reads, and no other file', async () => {
    const api = new ApiClient(stack.urls.gateway);
    const { text, headers } = await api.get('/packages/');
    expect([headers.get('content-type'), [...text.matchAll(/href="([^"]+)"/g)].length]).toEqual(['text/html; charset=utf-8', 4]);
    for (const path of ['/packages/package.json', '/packages/..%2Fpackages.log']) expect((await api.get(path)).status).toBe(404);
  });

  it('leads to recipes whose code fits the published client', async () => {
    const recipes = join(__dirname, '..', '..', 'docs', 'guides', 'recipes');
    const blocks = globSync('*.md', { cwd: recipes }).flatMap((page) =>
      [...readFileSync(join(recipes, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ''], at) => ({
        name: page.replace('.md', `-${at}.ts`),
        code,
      })),
    );
    expect(blocks.length).toBeGreaterThan(4);
    expect(await node.typeErrorsIn(Object.fromEntries(blocks.map(({ name, code }) => [name, code])))).toEqual([]);
  });
});
