import type { AiProvider } from '../models/ai-provider.js';
import { limitToCapabilities } from './turn-plan.js';

const provider = (speaks: boolean) => ({ can: () => speaks }) as unknown as AiProvider;
const options = (responseModality: 'text' | 'audio' | 'both') => ({ responseModality, isWhole: false });

describe('the modality of an answer', () => {
  it('is the requested one if speech is available', () => {
    for (const modality of ['text', 'audio', 'both'] as const)
      expect(limitToCapabilities(options(modality), provider(true)).responseModality).toBe(modality);
  });

  it('is text without speech, if text is a part of the request', () => {
    expect(limitToCapabilities(options('both'), provider(false)).responseModality).toBe('text');
    expect(limitToCapabilities(options('text'), provider(false))).toEqual(options('text'));
    expect(limitToCapabilities(options('both'), provider(false)).message).toMatch(/^There is no audio: /);
    expect(() => limitToCapabilities(options('audio'), provider(false))).toThrow(expect.objectContaining({ code: 'AI_UNAVAILABLE' }));
  });
});
