import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inLongForm } from '@classroom/testing';
import { REPO, run } from '../deploy/support/programs.js';

interface Obtain {
  obtainPythonGenerator(): Promise<{ python: string; folder: string }>;
  obtainTypescriptGenerator(): Promise<string>;
  obtainGoGenerator(): Promise<string>;
  GO_RUNTIME: string;
}
const { obtainPythonGenerator, obtainTypescriptGenerator, obtainGoGenerator, GO_RUNTIME } = require('../../tools/obtain') as Obtain;

const DOCUMENT = join(REPO, 'docs', 'reference', 'openapi.json');
const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: Record<string, Record<string, { operationId: string }>> };
const OPERATIONS = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));

/** For languages without a client of ours. */
describe('a client that is generated from the reference', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'classroom-generated-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has every operation in Python', async () => {
    const { python, folder: packages } = await obtainPythonGenerator();
    const env = { PATH: process.env['PATH'], HOME: folder, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' };
    writeFileSync(join(folder, 'config.yml'), 'post_hooks: []\n');
    const options = ['--path', DOCUMENT, '--config', 'config.yml', '--meta', 'none', '--output-path', 'client'];
    const { code, stdout, stderr } = await run(python, ['-m', 'openapi_python_client', 'generate', ...options], { cwd: folder, env });
    // Files are not parsed: their calls return what arrived.
    const said = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
    const known = [...said.matchAll(/Unsupported content_type (?:application\/pdf|application\/x-ndjson)/g)].length;
    expect([code, [...said.matchAll(/(?:WARNING|ERROR) parsing/g)].length]).toEqual([0, known]);
    const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const modules = globSync('client/api/*/*.py', { cwd: folder }).map((file) => file.split('/').at(-1)?.replace('.py', ''));
    expect(modules.filter((name) => name !== '__init__').sort()).toEqual(OPERATIONS.map(snakeCase).sort());
    expect((await run(python, ['-m', 'compileall', '-q', 'client'], { cwd: folder, env })).stdout).toBe('');
  });

  it('has every operation in TypeScript, and types without errors', async () => {
    const generator = await obtainTypescriptGenerator();
    const generated = await run(process.execPath, [generator, DOCUMENT, '--output', 'api.ts'], { cwd: folder });
    expect(generated.code).toBe(0);
    const [, operations = ''] = /^export interface operations \{\n([\s\S]*?)^\}/m.exec(readFileSync(join(folder, 'api.ts'), 'utf8')) ?? [];
    expect([...operations.matchAll(/^ {4}(\w+): \{/gm)].map(([, name]) => name)).toEqual(expect.arrayContaining(OPERATIONS));
    const compiler = join(REPO, 'node_modules', '.bin', 'tsc');
    const { stdout } = await run(
      compiler,
      ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', '', 'api.ts'],
      { cwd: folder },
    );
    expect(stdout).toBe('');
  });

  inLongForm(it)('has every operation in Go, and compiles', async () => {
    const generator = await obtainGoGenerator();
    // Without pruning: the generator counts no schema that only webhooks have.
    const config = 'package: api\noutput: api.gen.go\ngenerate: {models: true, client: true}\noutput-options: {skip-prune: true}\n';
    writeFileSync(join(folder, 'oapi.yml'), config);
    const { code: outcome, stderr: said } = await run(generator, ['-config', 'oapi.yml', DOCUMENT], { cwd: folder });
    expect([outcome, outcome === 0 ? '' : said]).toEqual([0, '']);
    const methods = [...readFileSync(join(folder, 'api.gen.go'), 'utf8').matchAll(/^func \(c \*Client\) (\w+)\(/gm)].map(
      ([, name]) => name,
    );
    const names = OPERATIONS.map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
    expect(names.filter((name) => !methods.includes(name) && !methods.includes(`${name}WithBody`))).toEqual([]);
    writeFileSync(join(folder, 'go.mod'), `module example.com/api\n\ngo 1.21\n\nrequire ${GO_RUNTIME}\n`);
    const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod', GOWORK: 'off' };
    const { code, stderr } = await run('go', ['build', '.'], { cwd: folder, env });
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  });
});
