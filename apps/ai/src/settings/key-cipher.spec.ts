import fc from 'fast-check';
import { KeyCipher } from './key-cipher.js';

const SECRET = 'a secret of at least thirty-two characters';
const OTHER = 'another secret of at least thirty-two';
const cipher = new KeyCipher([SECRET]);

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
  expect(() => new KeyCipher([OTHER]).open('school', sealed)).toThrow();
  expect(() => cipher.open('school', 'v9:AAAA')).toThrow('unknown version');
  expect(() => cipher.open('school', 'v1:AAAA')).toThrow();
});

it('seals the same key differently each time', () => {
  expect(cipher.seal('school', 'sk')).not.toBe(cipher.seal('school', 'sk'));
});

it('opens what any of its secrets sealed, and seals under the first', () => {
  const old = cipher.seal('school', 'sk');
  const rotating = new KeyCipher([OTHER, SECRET]);
  expect(rotating.open('school', old)).toBe('sk');
  expect(() => rotating.open('other', old)).toThrow('no secret opens');
  const sealed = rotating.seal('school', 'sk');
  expect(new KeyCipher([OTHER]).open('school', sealed)).toBe('sk');
  expect(() => cipher.open('school', sealed)).toThrow();
});

it('seals again under the first secret what another one sealed, and nothing else', () => {
  const old = cipher.seal('school', 'sk');
  const rotating = new KeyCipher([OTHER, SECRET]);
  const again = rotating.reseal('school', old) ?? '';
  expect(new KeyCipher([OTHER]).open('school', again)).toBe('sk');
  expect(rotating.reseal('school', again)).toBeUndefined();
  expect(() => rotating.reseal('other', old)).toThrow('no secret opens');
  expect(() => new KeyCipher([OTHER]).reseal('school', old)).toThrow('no secret opens');
});
