import { useEffect, useState } from 'react';
import { retryOnline } from '../session/retry.js';
import type { BoardFilm } from './BoardFilm.js';

declare const EXCALIDRAW_FOLDER: string;

async function load(): Promise<typeof BoardFilm> {
  window.EXCALIDRAW_ASSET_PATH = EXCALIDRAW_FOLDER;
  return (await import('./BoardFilm.js')).BoardFilm;
}

/** What films the board, which is loaded when the class first sees one. Undefined until it is there. */
export function useFilm(isWanted: boolean): typeof BoardFilm | undefined {
  const [Film, setFilm] = useState<typeof BoardFilm>();
  useEffect(() => {
    if (!isWanted || Film) return undefined;
    const closing = new AbortController();
    const { signal } = closing;
    retryOnline(load, { signal, timeoutMs: Infinity, isFinal: () => false }).then(
      (loaded) => setFilm(() => loaded),
      () => undefined,
    );
    return () => closing.abort();
  }, [isWanted, Film]);
  return Film;
}
