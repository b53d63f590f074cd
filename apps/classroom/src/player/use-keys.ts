import { useEffect, useRef } from 'react';
import { commandOf, type Command } from './keys.js';

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
