import { commandOf } from './keys.js';

const NONE = { code: '', keyCode: 0, isComposing: false, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
const press = (key: string, held: object = {}) => commandOf({ ...NONE, key, getModifierState: () => false, ...held });

it.each([
  [' ', ['toggle']],
  ['K', ['toggle']],
  ['ArrowLeft', ['seek-by', -5]],
  ['l', ['seek-by', 10]],
  ['<', ['rate', -1]],
  ['7', ['seek-to-tenth', 7]],
  ['?', ['help']],
  ['x', undefined],
  ['F5', undefined],
])('%j means %j', (key, command) => expect(press(key)).toEqual(command));

it('leaves key combinations to the browser, and words to the input method', () => {
  expect([
    press('c', { ctrlKey: true }),
    press('l', { metaKey: true }),
    press('ArrowLeft', { altKey: true }),
    press('Enter', { keyCode: 229 }),
  ]).toEqual([undefined, undefined, undefined, undefined]);
});
