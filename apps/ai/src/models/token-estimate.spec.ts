import fc from 'fast-check';
import { estimateRequest, estimateTokens, tokenWeight } from './token-estimate.js';

it('estimates a text as the sum of its pieces', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(tokenWeight(a) + tokenWeight(b)).toBeCloseTo(tokenWeight(a + b));
    }),
  );
});

it('has the right order of magnitude', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('The quick brown fox jumps over the lazy dog.')).toBe(11);
  expect(estimateTokens('这是第一句。')).toBe(6);
});

it('counts all parts of a request', () => {
  const request = { instructions: 'abcd', turns: [{ question: 'abcd', answer: 'abcd' }], question: 'abcd', maxOutputTokens: 1 };
  expect(estimateRequest(request)).toBe(20);
  expect(estimateRequest({ ...request, image: { bytes: new Uint8Array(), mimeType: 'image/png' } })).toBe(820);
});
