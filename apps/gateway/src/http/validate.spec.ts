import { randomBytes } from 'node:crypto';
import { AI_INPUT_LIMIT, type AppError } from '@classroom/contracts';
import { decodeInput } from './validate.js';

const refusal = (base64: string): AppError => {
  try {
    decodeInput('audio', base64, AI_INPUT_LIMIT);
  } catch (error) {
    return error as AppError;
  }
  throw new Error('it was taken');
};

describe('audio and images in base64', () => {
  test.each([1, 2, 3, 4, 1_000])('are decoded unchanged, with %i bytes', (length) => {
    const bytes = randomBytes(length);
    expect(decodeInput('audio', bytes.toString('base64'), AI_INPUT_LIMIT)).toEqual(bytes);
  });

  test.each([
    ['no padding', 'QQ'],
    ['the alphabet of URLs', '-_-_'],
    ['a line break', 'QUJD\nQUJD'],
    ['a data URL', 'data:audio/wav;base64,QUJD'],
    ['bits that no encoder leaves', 'QR=='],
    ['padding alone', '===='],
    ['words', 'not base64 at all'],
  ])('cause a 400 that names the field for %s', (_, base64) => {
    expect(refusal(base64)).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'audio', message: 'must be base64' }] });
  });

  it('are accepted up to exactly the limit', () => {
    expect(decodeInput('image', Buffer.alloc(AI_INPUT_LIMIT).toString('base64'), AI_INPUT_LIMIT)).toHaveLength(AI_INPUT_LIMIT);
    const over = refusal(Buffer.alloc(AI_INPUT_LIMIT + 1).toString('base64'));
    expect(over).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message: 'audio must be at most 10 MiB' });
    expect(refusal(Buffer.alloc(AI_INPUT_LIMIT + 3).toString('base64'))).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });
});
