import { commandOf } from './keys.js';

const press = (key: string, held: object = {}) => commandOf({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

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

it('leaves key combinations to the browser', () => {
  expect([press('c', { ctrlKey: true }), press('l', { metaKey: true }), press('ArrowLeft', { altKey: true })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
