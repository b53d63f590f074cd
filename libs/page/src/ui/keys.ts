/** What is read of a key press; the browser's event has it all. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'keyCode' | 'isComposing' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'getModifierState'
>;

/** The key code of a press that an input method handles. WebKit ends the composition before it sends the press that ended it. */
const HANDLED_BY_INPUT_METHOD = 229;

/** The key as `KeyboardEvent.key`; undefined if the press belongs to a word that an input method composes. */
export function keyOf({ key, keyCode, isComposing }: Pick<KeyPress, 'key' | 'keyCode' | 'isComposing'>): string | undefined {
  return isComposing || keyCode === HANDLED_BY_INPUT_METHOD ? undefined : key;
}

/**
 * The key for a shortcut: undefined with a modifier, and for a letter with Shift. A letter is lower case. On a layout without Latin letters it
 * is the key in the same place of a US keyboard.
 */
export function shortcutOf(press: KeyPress): string | undefined {
  const key = keyOf(press);
  if (key === undefined || press.ctrlKey || press.metaKey || press.altKey || press.getModifierState('AltGraph')) return undefined;
  const pressed = /^[ -~\p{Script=Latin}]/u.test(key) ? key : placeOf(press);
  if (pressed?.length !== 1 || pressed.toLowerCase() === pressed.toUpperCase()) return pressed;
  return press.shiftKey ? undefined : pressed.toLowerCase();
}

const SHIFTED: Record<string, string> = { Comma: '<', Period: '>', Slash: '?' };

function placeOf({ code, shiftKey }: KeyPress): string | undefined {
  const { letter, digit } = /^(?:Key(?<letter>[A-Z])|(?:Digit|Numpad)(?<digit>\d))$/.exec(code)?.groups ?? {};
  if (letter) return letter;
  return shiftKey ? SHIFTED[code] : digit;
}
