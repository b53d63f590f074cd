import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { writeConfig } from './profiles/config-file.js';
import { createProgram, run } from './program.js';
import { MemoryIo } from './testing/memory-io.js';

const GUIDE = join(__dirname, '..', '..', '..', 'docs', 'guides', 'command-line.md');

function leavesOf(command: Command): Command[] {
  return command.commands.length > 0 ? command.commands.flatMap(leavesOf) : [command];
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** The arguments of a line of a shell that calls `vc`, up to a pipe or a redirection. */
const argumentsOf = (line: string): string[] =>
  [...(line.split(/ [|<>] /)[0] ?? '').matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

/** Parses the arguments without running the command. @returns the command that would run */
async function parsed(args: string[]): Promise<string> {
  const { program } = createProgram(new MemoryIo());
  let called = '';
  for (const leaf of leavesOf(program)) leaf.action(() => void (called = pathOf(leaf)));
  await program.parseAsync(args, { from: 'user' });
  return called;
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe('the help', () => {
  const leaves = leavesOf(createProgram(new MemoryIo()).program);

  it.each(leaves.map((leaf) => [pathOf(leaf), leaf] as const))(
    'of %s has a description and examples that are accepted',
    async (path, leaf) => {
      const help = helpOf(leaf);
      const examples = [...help.matchAll(/^ {2}\$ vc (.*)$/gm)].map(([, line = '']) => line);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples)
        expect(await parsed(argumentsOf(example.replace('$WEBHOOK_SECRET', `whsec_${'A'.repeat(43)}=`)))).toBe(path);
      expect(leaf.description()).not.toBe('');
      expect(leaf.options.filter(({ description }) => description === '')).toEqual([]);
      expect(leaf.registeredArguments.filter(({ description }) => description === '')).toEqual([]);
    },
  );
});

describe('the guide', () => {
  const lines = [...readFileSync(GUIDE, 'utf8').matchAll(/^\$ vc (.*)$/gm)].map(([, line = '']) => line);

  it('calls commands that exist', async () => {
    for (const line of lines) expect(await parsed(argumentsOf(line))).toMatch(/^vc /);
    expect(lines.length).toBeGreaterThan(5);
  });
});

describe('a command', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'vc-'))));
  afterEach(() => rmSync(home, { recursive: true }));

  async function ran(args: string[], env: Record<string, string> = {}) {
    const io = new MemoryIo({ XDG_CONFIG_HOME: home, ...env });
    return { code: await run(args, io), out: io.written, err: io.remarks };
  }
  const store = () =>
    writeConfig(join(home, 'virtual-classroom', 'config.json'), {
      current: 'school',
      profiles: {
        school: { url: 'https://classroom.example', credential: 'vfo_secret' },
        operators: { url: 'https://classroom.example', dispatchSecret: 'dispatch-secret' },
      },
    });

  it('ends with 2 if it is not understood, and says what is similar', async () => {
    expect(await ran(['rooms', 'lst'])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Did you mean list?') });
    expect(await ran(['join', 'algebra-1'])).toMatchObject({ code: 2, err: expect.stringContaining("'--name <name>' not specified") });
    expect(await ran(['events', 'tail', '--after', 'now'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('sequence of an event'),
    });
  });

  it('ends with 1 without a credential, and says how to give one, as text or JSON', async () => {
    expect(await ran(['rooms', 'list'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^Error: No credential.*\nRun: vc login/),
    });
    const { code, err } = await ran(['rooms', 'list', '--json']);
    expect([code, JSON.parse(err)]).toMatchObject([
      1,
      { error: { message: expect.stringMatching(/^No credential/), next: expect.stringContaining('VC_CREDENTIAL') } },
    ]);
  });

  it('ends with 0 after its help and its version', async () => {
    expect(await ran(['rooms', '--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Usage: vc rooms'), err: '' });
    expect(await ran(['--version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it('shows profiles and what applies without secrets', async () => {
    store();
    const list = await ran(['config', 'list']);
    expect(list.out).toMatch(/school +yes +https:\/\/classroom\.example +credential\noperators +no /);
    const show = await ran(['config', 'show', '--json'], { VC_API_KEY: 'vc_live_secret' });
    expect(JSON.parse(show.out)).toMatchObject({ profile: 'school', organization: 'API key of VC_API_KEY', operator: null });
    expect(list.out + show.out).not.toMatch(/vfo_secret|dispatch-secret|vc_live_secret/);
  });

  it('changes the current profile, and deletes one', async () => {
    store();
    expect(await ran(['config', 'use', 'operators'])).toMatchObject({ code: 0 });
    expect(await ran(['config', 'use', 'missing'])).toMatchObject({ code: 1, err: expect.stringContaining('There is no profile missing') });
    expect(await ran(['logout'])).toMatchObject({ code: 0, out: 'Deleted  operators\n' });
    expect(JSON.parse((await ran(['config', 'list', '--json'])).out)).toEqual([
      { profile: 'school', isCurrent: true, url: 'https://classroom.example', credentials: ['credential'] },
    ]);
  });
});
