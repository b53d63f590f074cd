import fc from 'fast-check';
import { readKeys, sign, verify, type SigningKey } from './signature.js';

const now = new Date('2026-03-01T10:00:00Z');
const expires = now.getTime() / 1000 + 3600;
const key: SigningKey = { id: 'k2', secret: 'a secret of more than 32 characters' };
const old: SigningKey = { id: 'k1', secret: 'the secret that was used before this one' };
const videoId = 'vid_abcdefghij0123456789';
const token = sign(videoId, expires, key);
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

describe('a signature', () => {
  it('is valid for an hour and for its video only', () => {
    expect(verify(videoId, token, [key], now)).toBe(3600);
    expect(verify(videoId, token, [key], new Date((expires - 1) * 1000))).toBe(1);
    expect(verify(videoId, token, [key], new Date(expires * 1000))).toBeUndefined();
    expect(verify('vid_abcdefghij012345678A', token, [key], now)).toBeUndefined();
  });

  it('is refused with any character changed, left out or added', () => {
    for (let at = 0; at <= token.length; at += 1) {
      for (const character of PRINTABLE) {
        if (token[at] !== character)
          expect(verify(videoId, token.slice(0, at) + character + token.slice(at + 1), [key, old], now)).toBeUndefined();
        expect(verify(videoId, token.slice(0, at) + character + token.slice(at), [key, old], now)).toBeUndefined();
      }
      if (at < token.length) expect(verify(videoId, token.slice(0, at) + token.slice(at + 1), [key, old], now)).toBeUndefined();
    }
  });

  it('has one encoding: no capital base36, padding, spare bits or leading zeros', () => {
    const [time = '', id = '', signature = ''] = token.split('.');
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spare = ALPHABET[ALPHABET.indexOf(signature.at(-1) ?? '') + 1] ?? '';
    expect(Buffer.from(signature.slice(0, -1) + spare, 'base64url').equals(Buffer.from(signature, 'base64url'))).toBe(true);
    for (const other of [
      `${time.toUpperCase()}.${id}.${signature}`,
      `0${time}.${id}.${signature}`,
      `${time}.${id}.${signature}=`,
      `${time}.${id}.${signature.slice(0, -1)}${spare}`,
      `${time}.${id}.${signature}\n`,
      ` ${token}`,
      `${token}.`,
    ]) {
      expect([other, verify(videoId, other, [key], now)]).toEqual([other, undefined]);
    }
  });

  it('is not a made-up string', () => {
    fc.assert(fc.property(fc.string(), (made) => verify(videoId, made, [key, old], now) === undefined));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e11 }),
        fc.constantFrom('k1', 'k2', 'k3'),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (time, id, mac) => {
          const made = `${time.toString(36)}.${id}.${Buffer.from(mac).toString('base64url')}`;
          return verify(videoId, made, [key, old], now) === undefined;
        },
      ),
    );
  });

  it('of the previous key is accepted until that key is removed', () => {
    const earlier = sign(videoId, expires, old);
    expect(verify(videoId, earlier, [key, old], now)).toBe(3600);
    expect(verify(videoId, earlier, [key], now)).toBeUndefined();
    expect(verify(videoId, earlier.replace('.k1.', '.k2.'), [key, old], now)).toBeUndefined();
  });

  it('is made with the first of the configured keys', () => {
    expect(readKeys(`k2:${key.secret},k1:${old.secret}`)).toEqual([key, old]);
  });
});
