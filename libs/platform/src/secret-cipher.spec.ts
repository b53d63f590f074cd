import { SecretCipher } from './secret-cipher.js';

const [now, before] = ['the secret that is used now, long enough', 'the secret that was used before, long too'];
const cipher = new SecretCipher('a purpose', [now]);

it('opens a sealed text only for the same owner and purpose', () => {
  const sealed = cipher.seal('owner', 'whsec_é');
  expect(sealed).not.toContain('whsec');
  expect(cipher.open('owner', sealed)).toBe('whsec_é');
  expect(() => cipher.open('another', sealed)).toThrow('no key opens');
  expect(() => new SecretCipher('another purpose', [now]).open('owner', sealed)).toThrow('no key opens');
  expect(cipher.seal('owner', 'whsec_é')).not.toBe(sealed);
});

it('does not open a changed text', () => {
  const [version, body = ''] = cipher.seal('owner', 'secret').split(':');
  const bytes = Buffer.from(body, 'base64');
  for (let at = 0; at < bytes.length; at++) {
    const touched = Buffer.from(bytes);
    touched[at] = (touched[at] ?? 0) ^ 1;
    expect(() => cipher.open('owner', `${version}:${touched.toString('base64')}`)).toThrow('no key opens');
  }
  expect(() => cipher.open('owner', 'v9:AAAA')).toThrow('unknown version');
});

it('opens under an earlier secret while the secret is changed, and seals again under the first one', () => {
  const old = new SecretCipher('a purpose', [before]).seal('owner', 'secret');
  const both = new SecretCipher('a purpose', [now, before]);
  expect(both.open('owner', old)).toBe('secret');
  expect(cipher.open('owner', both.reseal('owner', old) ?? '')).toBe('secret');
  expect(both.reseal('owner', both.seal('owner', 'secret'))).toBeUndefined();
});
