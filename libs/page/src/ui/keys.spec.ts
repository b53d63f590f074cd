import { keyOf, shortcutOf, type KeyPress } from './keys.js';

const press = (key: string, more: Partial<KeyPress> & { altGraph?: boolean } = {}): KeyPress => ({
  key,
  code: '',
  keyCode: 0,
  isComposing: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  getModifierState: () => more.altGraph ?? false,
  ...more,
});

describe('a key press', () => {
  it.each([
    ['Chromium and Firefox', { isComposing: true, keyCode: 229 }],
    ['Firefox, which knows the key', { isComposing: true, keyCode: 13 }],
    ['WebKit, whose composition has ended before', { isComposing: false, keyCode: 229 }],
  ])('belongs to the input method that composes a word: %s', (_, held) => {
    for (const key of ['Enter', 'Escape', 'ArrowDown', 'Tab', 'm']) {
      expect(keyOf(press(key, held))).toBeUndefined();
      expect(shortcutOf(press(key, held))).toBeUndefined();
    }
  });

  it('is its key otherwise', () => expect(keyOf(press('Enter', { keyCode: 13 }))).toBe('Enter'));
});

describe('a shortcut', () => {
  it.each([
    ['US', 'm', 'KeyM', 'm'],
    ['US with Caps Lock', 'M', 'KeyM', 'm'],
    ['Russian', 'ь', 'KeyM', 'm'],
    ['Greek', 'μ', 'KeyM', 'm'],
    ['Arabic', 'ة', 'KeyM', 'm'],
    ['Arabic, two letters on a key', 'لا', 'KeyB', 'b'],
    ['Hebrew', 'צ', 'KeyM', 'm'],
    ['Thai', 'ท', 'KeyM', 'm'],
    ['Persian digits', '۷', 'Digit7', '7'],
    ['French, whose M is elsewhere', 'm', 'Semicolon', 'm'],
    ['Dvorak, whose M is elsewhere', 'h', 'KeyJ', 'h'],
    ['German', 'ö', 'Semicolon', 'ö'],
    ['a dead key', 'Dead', 'KeyM', 'Dead'],
    ['an arrow', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft'],
    ['a key that has no place of a letter', 'ж', 'Semicolon', undefined],
  ])('is found on every layout: %s', (_, key, code, expected) => expect(shortcutOf(press(key, { code }))).toBe(expected));

  it.each([
    ['US', '?', 'Slash', '?'],
    ['German', '?', 'Minus', '?'],
    ['Arabic', '؟', 'Slash', '?'],
    ['Russian', 'Б', 'Comma', '<'],
    ['a letter', 'M', 'KeyM', undefined],
    ['a Russian letter', 'Ь', 'KeyM', undefined],
    ['an arrow', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft'],
  ])('with Shift is a sign and no letter: %s', (_, key, code, expected) =>
    expect(shortcutOf(press(key, { code, shiftKey: true }))).toBe(expected),
  );

  it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { altGraph: true }])('is none with %j', (held) => {
    expect(shortcutOf(press('m', { code: 'KeyM', ...held }))).toBeUndefined();
    expect(shortcutOf(press('µ', { code: 'KeyM', ...held }))).toBeUndefined();
  });
});
