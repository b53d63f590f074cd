import fc from 'fast-check';
import { KeyCipher } from './key-cipher.js';

const cipher = new KeyCipher('a secret of at least thirty-two characters');

it('opens what it sealed, for the same organization alone', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (key, one, other) => {
      const sealed = cipher.seal(one, key);
      expect(sealed).not.toContain(key.length > 6 ? key : '\n');
      expect(cipher.open(one, sealed)).toBe(Buffer.from(key, 'utf8').toString('utf8'));
      if (one !== other) expect(() => cipher.open(other, sealed)).toThrow();
    }),
  );
});

it('opens nothing that was touched, nor under another secret', () => {
  const sealed = cipher.seal('school', 'sk-1234567890');
  const [version, body = ''] = sealed.split(':');
  const bytes = Buffer.from(body, 'base64');
  for (let at = 0; at < bytes.length; at++) {
    const touched = Buffer.from(bytes);
    touched[at] = (touched[at] ?? 0) ^ 1;
    expect(() => cipher.open('school', `${version}:${touched.toString('base64')}`)).toThrow();
  }
  expect(() => new KeyCipher('another secret of at least thirty-two').open('school', sealed)).toThrow();
  expect(() => cipher.open('school', 'v9:AAAA')).toThrow('unknown version');
  expect(() => cipher.open('school', 'v1:AAAA')).toThrow();
});

it('seals the same key differently each time', () => {
  expect(cipher.seal('school', 'sk')).not.toBe(cipher.seal('school', 'sk'));
});
