import { useEffect, useRef } from 'react';
import { shortcutOf } from '@classroom/page/keys';
import type { Action } from '../app/feature.js';
import { useStore, createStoredStore } from '../store.js';

/**
 * Letter keys press their controls, and a muted microphone is on as long as Space is held, unless the user turned the keys off, is typing, or a
 * dialog or menu is open.
 */
export function useShortcuts(actions: readonly Action[], onHelp: () => void): void {
  const latest = useRef({ actions, onHelp });
  useEffect(() => {
    latest.current = { actions, onHelp };
  });
  useEffect(() => {
    let isHeld = false;
    const pressMicrophone = (isOn: boolean) => {
      const microphone = latest.current.actions.find(({ id }) => id === 'microphone');
      if (microphone?.isOn !== isOn) microphone?.onPress();
    };
    const release = () => {
      if (isHeld) pressMicrophone(false);
      isHeld = false;
    };
    const onKey = (event: KeyboardEvent) => {
      const key = shortcutOf(event);
      if (key === ' ' && mayHold(event) && latest.current.actions.some(({ id, isOn }) => id === 'microphone' && !isOn)) {
        event.preventDefault();
        isHeld = true;
        return pressMicrophone(true);
      }
      if (key === undefined || event.repeat || isBusy(event.target) || !areShortcutsEnabled()) return;
      if (key === '?') return latest.current.onHelp();
      const action = latest.current.actions.find(({ shortcut }) => shortcut === key);
      if (!action || action.isDisabled) return;
      event.preventDefault();
      action.onPress();
    };
    const onKeyUp = ({ key }: KeyboardEvent) => key === ' ' && release();
    document.addEventListener('keydown', onKey);
    document.addEventListener('keyup', onKeyUp);
    window.addEventListener('blur', release);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('keyup', onKeyUp);
      window.removeEventListener('blur', release);
    };
  }, []);
}

/** Space presses a focused button and scrolls a focused list: it is free only where the keyboard is nowhere. */
function mayHold({ target, repeat }: KeyboardEvent): boolean {
  const isNowhere = target === document.body || (target instanceof HTMLElement && target.tagName === 'H1');
  return isNowhere && !repeat && !isBusy(target) && areShortcutsEnabled();
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], [popover]:popover-open')) return true;
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

/** Whether letter keys press controls. Users of speech input turn it off, because it types letters. */
const setting = createStoredStore('classroom.shortcuts', { isOn: true });

export const areShortcutsEnabled = (): boolean => setting.get().isOn;

export const useShortcutsEnabled = (): boolean => useStore(setting, ({ isOn }) => isOn);

export const setShortcutsEnabled = (isOn: boolean): void => setting.set({ isOn });
