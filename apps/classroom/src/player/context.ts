import { createContext, use } from 'react';
import { useStore } from '../store/store.js';
import type { Player } from './player.js';
import type { PlayerState } from './player-state.js';
import type { Texts } from './texts.js';

interface PlayerContextValue {
  player: Player;
  texts: Texts;
  title: string;
}

export const PlayerContext = createContext<PlayerContextValue | undefined>(undefined);

export function usePlayerContext(): PlayerContextValue {
  const value = use(PlayerContext);
  if (!value) throw new Error('outside of the player');
  return value;
}

export function usePlayer<S>(select: (state: PlayerState) => S): S {
  return useStore(usePlayerContext().player.store, select);
}
