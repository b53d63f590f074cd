import { shortcutOf, type KeyPress } from '@classroom/page/keys';

export type Command =
  | ['toggle' | 'mute' | 'fullscreen' | 'captions' | 'help']
  | ['seek-by' | 'seek-to-tenth' | 'volume-by', number]
  | ['rate', 1 | -1];

const COMMANDS: Record<string, Command> = {
  ' ': ['toggle'],
  k: ['toggle'],
  ArrowLeft: ['seek-by', -5],
  ArrowRight: ['seek-by', 5],
  j: ['seek-by', -10],
  l: ['seek-by', 10],
  ArrowUp: ['volume-by', 0.1],
  ArrowDown: ['volume-by', -0.1],
  m: ['mute'],
  f: ['fullscreen'],
  c: ['captions'],
  '<': ['rate', -1],
  '>': ['rate', 1],
  '?': ['help'],
};

export function commandOf(press: KeyPress): Command | undefined {
  const key = shortcutOf(press) ?? '';
  if (/^\d$/.test(key)) return ['seek-to-tenth', Number(key)];
  return COMMANDS[key];
}
