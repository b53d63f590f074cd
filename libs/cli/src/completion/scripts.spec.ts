import { execFileSync } from 'node:child_process';
import { createProgram } from '../program.js';
import { MemoryIo } from '../testing/memory-io.js';
import { bashScript, fishScript, zshScript } from './scripts.js';
import { placesOf } from './tree.js';

const places = placesOf(createProgram(new MemoryIo()).program);

/** What a real bash offers after these words. */
function offered(line: string): string[] {
  const program = `${bashScript('vc', places)}
COMP_WORDS=(${line.endsWith(' ') ? `${line} ''` : line})
COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
_vc
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8', cwd: __dirname })
    .split('\n')
    .filter((it) => it !== '');
}

describe('bash', () => {
  it.each([
    ['vc roo', ['rooms']],
    ['vc rooms ', expect.arrayContaining(['list', 'create', 'get', 'end'])],
    ['vc rooms e', ['end']],
    ['vc webhooks listen --f', ['--forward-to']],
    ['vc rooms list --status ', ['created', 'live', 'finished']],
    ['vc join algebra-1 --name Bob --role T', ['TEACHER']],
    ['vc --json recordings d', ['download']],
    ['vc rooms list --js', ['--json']],
    ['vc completion --v', []],
    ['vc recordings download algebra-1 --out tr', ['tree.ts']],
  ])('offers after “%s”', (line, expected) => expect(offered(line)).toEqual(expected));
});

it.each([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
])('the script for %s names every command and option', (_, script) => {
  const text = script('vc', places);
  const missing = places
    .flatMap(({ commands, options }) => [...commands, ...options])
    .filter(({ word }) => !text.includes(word.replace(/^--/, '')));
  expect(missing).toEqual([]);
  expect(places.length).toBeGreaterThan(40);
});
