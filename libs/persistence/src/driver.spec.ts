import { toSafeInteger } from './driver.js';

describe('int8', () => {
  it.each(['0', '-7', '9007199254740991', '-9007199254740991'])('%s is a number', (text) => {
    expect(String(toSafeInteger(text))).toBe(text);
  });

  it.each(['9007199254740992', '-9223372036854775808'])('%s is an error, because a number would round it', (text) => {
    expect(() => toSafeInteger(text)).toThrow(RangeError);
  });
});
