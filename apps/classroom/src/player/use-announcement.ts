import { useEffect, useRef, useState } from 'react';
import { usePlayerContext, type Player, type PlayerState } from './player.js';
import type { Texts } from './texts.js';

const SHOWN_MS = 1_500;

/** The latest change as text: announced to screen readers once, and shown for a moment. */
export function useAnnouncement(): string {
  const { player, texts } = usePlayerContext();
  const [announcement, setAnnouncement] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const stop = onChange(player, (before, now) => {
      const text = describeChange(before, now, texts);
      if (!text) return;
      clearTimeout(timer.current);
      setAnnouncement(text);
      timer.current = setTimeout(() => setAnnouncement(''), SHOWN_MS);
    });
    return () => {
      stop();
      clearTimeout(timer.current);
    };
  }, [player, texts]);
  return announcement;
}

function onChange({ store }: Player, listener: (before: PlayerState, now: PlayerState) => void): () => void {
  let before = store.get();
  return store.subscribe(() => {
    const now = store.get();
    const last = before;
    before = now;
    listener(last, now);
  });
}

function describeChange(before: PlayerState, now: PlayerState, texts: Texts): string | undefined {
  if (now.rate !== before.rate) return texts.speedIs(`${now.rate}×`);
  if (now.quality !== before.quality) return texts.qualityIs(now.qualities.find(({ id }) => id === now.quality)?.label ?? texts.automatic);
  // The video selects its first caption track itself, so that change is not announced.
  if (now.caption !== before.caption && now.time > 0) {
    const label = now.captions.find(({ id }) => id === now.caption)?.label;
    return label ? texts.captionsAre(label) : texts.captionsOff;
  }
  if (now.isMuted !== before.isMuted) return now.isMuted ? texts.mute : texts.unmute;
  if (now.volume !== before.volume) return `${texts.volume} ${Math.round(now.volume * 100)} %`;
  if (before.isOffline && before.isWaiting && !now.isOffline && now.phase !== 'failed') return texts.back;
  return undefined;
}
