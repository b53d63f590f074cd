import { shortcutOf, type KeyPress } from '@classroom/page/keys';
import { useEffect, useRef } from 'react';

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

/** Ignores keys while a dialog or menu is open, and keys that the focused control handles itself. */
export function useKeys(onCommand: (command: Command) => void): void {
  const latest = useRef(onCommand);
  useEffect(() => {
    latest.current = onCommand;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const command =
        event.defaultPrevented || document.querySelector('dialog[open], [popover]:popover-open') ? undefined : commandOf(event);
      if (!command || isHandledByControl(event)) return;
      event.preventDefault();
      if (!event.repeat || command[0] === 'seek-by' || command[0] === 'volume-by') latest.current(command);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function isHandledByControl({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('button')) return key === ' ';
  return target.matches('input.volume-slider') && key.startsWith('Arrow');
}
