export type Command =
  | ['toggle' | 'mute' | 'fullscreen' | 'captions' | 'help']
  | ['seek-by' | 'seek-to-tenth' | 'volume-by', number]
  | ['rate', 1 | -1];

const COMMANDS: Record<string, Command> = {
  ' ': ['toggle'],
  k: ['toggle'],
  arrowleft: ['seek-by', -5],
  arrowright: ['seek-by', 5],
  j: ['seek-by', -10],
  l: ['seek-by', 10],
  arrowup: ['volume-by', 0.1],
  arrowdown: ['volume-by', -0.1],
  m: ['mute'],
  f: ['fullscreen'],
  c: ['captions'],
  '<': ['rate', -1],
  '>': ['rate', 1],
  '?': ['help'],
};

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

export function commandOf({ key, ctrlKey, metaKey, altKey }: KeyPress): Command | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (/^\d$/.test(key)) return ['seek-to-tenth', Number(key)];
  return COMMANDS[key.toLowerCase()];
}
