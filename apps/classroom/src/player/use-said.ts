import { useEffect, useRef, useState } from 'react';
import { useAround } from './context.js';
import type { Player } from './player.js';
import type { PlayerState } from './player-state.js';
import type { Words } from './words.js';

const SHOWN_MS = 1_500;

/** The latest change as text: announced to screen readers once, and shown for a moment. */
export function useSaid(): string {
  const { player, words } = useAround();
  const [said, setSaid] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const stop = onChange(player, (before, now) => {
      const text = changeInWords(before, now, words);
      if (!text) return;
      clearTimeout(timer.current);
      setSaid(text);
      timer.current = setTimeout(() => setSaid(''), SHOWN_MS);
    });
    return () => {
      stop();
      clearTimeout(timer.current);
    };
  }, [player, words]);
  return said;
}

function onChange({ store }: Player, hear: (before: PlayerState, now: PlayerState) => void): () => void {
  let before = store.get();
  return store.subscribe(() => {
    const now = store.get();
    const last = before;
    before = now;
    hear(last, now);
  });
}

function changeInWords(before: PlayerState, now: PlayerState, words: Words): string | undefined {
  if (now.rate !== before.rate) return words.speedIs(`${now.rate}×`);
  if (now.quality !== before.quality) return words.qualityIs(now.qualities.find(({ id }) => id === now.quality)?.label ?? words.automatic);
  // The video selects its first caption track itself, so that change is not announced.
  if (now.caption !== before.caption && now.time > 0) {
    const label = now.captions.find(({ id }) => id === now.caption)?.label;
    return label ? words.captionsAre(label) : words.captionsOff;
  }
  if (now.isMuted !== before.isMuted) return now.isMuted ? words.mute : words.unmute;
  if (now.volume !== before.volume) return `${words.volume} ${Math.round(now.volume * 100)} %`;
  if (before.isLost && before.isWaiting && !now.isLost && now.phase !== 'failed') return words.back;
  return undefined;
}
