import type { REACTIONS } from '@classroom/contracts';
import type { Emoji } from '../../class/api.js';

export const EMOJIS: typeof REACTIONS = ['👍', '👏', '❤️', '😂', '😮', '🎉'];

/** Keys of their names in words. */
export const EMOJI_NAMES: Record<Emoji, string> = {
  '👍': 'thumbsUp',
  '👏': 'applause',
  '❤️': 'heart',
  '😂': 'laughter',
  '😮': 'surprise',
  '🎉': 'party',
};
