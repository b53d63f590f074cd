import { Store, useStore } from '../store/store.js';

const KEY = 'classroom.shortcuts';

/**
 * Whether letter keys press controls. Users of speech input turn it off, because it types letters. Stored in this browser, if
 * it allows that.
 */
const choice = new Store({ isOn: recall() });

export const areShortcutsOn = (): boolean => choice.get().isOn;

export const useShortcutChoice = (): boolean => useStore(choice, ({ isOn }) => isOn);

export function chooseShortcuts(isOn: boolean): void {
  choice.set({ isOn });
  try {
    localStorage.setItem(KEY, isOn ? 'on' : 'off');
  } catch {}
}

function recall(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}
