import type { AiProvider } from '../models/ai-provider.js';
import { possible } from './turn-plan.js';

const provider = (speaks: boolean) => ({ can: () => speaks }) as unknown as AiProvider;
const wanted = (responseModality: 'text' | 'audio' | 'both') => ({ responseModality, isWhole: false });

describe('the modality of an answer', () => {
  it('is the requested one if speech is available', () => {
    for (const modality of ['text', 'audio', 'both'] as const)
      expect(possible(wanted(modality), provider(true)).responseModality).toBe(modality);
  });

  it('is text without speech, if text is a part of the request', () => {
    expect(possible(wanted('both'), provider(false)).responseModality).toBe('text');
    expect(possible(wanted('text'), provider(false))).toEqual(wanted('text'));
    expect(possible(wanted('both'), provider(false)).message).toMatch(/^There is no audio: /);
    expect(() => possible(wanted('audio'), provider(false))).toThrow(expect.objectContaining({ code: 'AI_UNAVAILABLE' }));
  });
});
