import type { AiProvider } from '../models/ai-provider.js';
import { possible } from './turn-plan.js';

const provider = (speaks: boolean) => ({ can: () => speaks }) as unknown as AiProvider;
const wanted = (responseModality: 'text' | 'audio' | 'both') => ({ responseModality, isWhole: false });

describe('how an answer can be given', () => {
  it('is as it is wanted where something speaks', () => {
    for (const modality of ['text', 'audio', 'both'] as const)
      expect(possible(wanted(modality), provider(true)).responseModality).toBe(modality);
  });

  it('is in text where nothing does, if that is a part of what is wanted', () => {
    expect(possible(wanted('both'), provider(false)).responseModality).toBe('text');
    expect(possible(wanted('text'), provider(false))).toEqual(wanted('text'));
    expect(possible(wanted('both'), provider(false)).message).toMatch(/^There is no audio: /);
    expect(() => possible(wanted('audio'), provider(false))).toThrow(expect.objectContaining({ code: 'AI_UNAVAILABLE' }));
  });
});
