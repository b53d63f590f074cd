import type { REACTIONS } from '@classroom/contracts';
import type { Emoji } from '../../class/api.js';

export const EMOJIS: typeof REACTIONS = ['👍', '👏', '❤️', '😂', '😮', '🎉'];

/** i18n keys of the emojis' names. */
export const EMOJI_NAMES: Record<Emoji, string> = {
  '👍': 'thumbsUp',
  '👏': 'applause',
  '❤️': 'heart',
  '😂': 'laughter',
  '😮': 'surprise',
  '🎉': 'party',
};
