import { createContext, use } from 'react';
import { useStore } from '../store/store.js';
import type { Player } from './player.js';
import type { PlayerState } from './player-state.js';
import type { Words } from './words.js';

interface Around {
  player: Player;
  words: Words;
  title: string;
}

export const AroundContext = createContext<Around | undefined>(undefined);

export function useAround(): Around {
  const around = use(AroundContext);
  if (!around) throw new Error('outside of the player');
  return around;
}

export function usePlayer<S>(select: (state: PlayerState) => S): S {
  return useStore(useAround().player.store, select);
}
