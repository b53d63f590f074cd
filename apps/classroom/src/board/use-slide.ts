import { useCallback, useEffect, useState } from 'react';
import type { FindPage, ShownPage } from '../documents/document-pages.js';

/** The page of a document that lies under a page of the board. */
export interface Slide {
  page: ShownPage | undefined;
  /** Counts the addresses that were asked for. */
  attempt: number;
  isFailed: boolean;
  retry(): void;
  /** The picture did not arrive: its address may have ended. */
  onBroken(): void;
}

/** @param find as the class or the recorder finds addresses; must be the same function each time */
export function useSlide(find: FindPage, documentId: string | null, number: number | null): Slide {
  const [attempt, setAttempt] = useState(0);
  const [isFailed, setFailed] = useState(false);
  const [page, setPage] = useState<ShownPage>();
  useEffect(() => {
    if (documentId === null || number === null) return undefined;
    let isCurrent = true;
    find(documentId, number, attempt > 0).then(
      (found) => isCurrent && setPage(found),
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [find, documentId, number, attempt]);
  const retry = useCallback(() => {
    setFailed(false);
    setAttempt((before) => before + 1);
  }, []);
  useEffect(() => {
    if (!isFailed) return undefined;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [isFailed, retry]);
  const onBroken = useCallback(() => (attempt === 0 ? retry() : setFailed(true)), [attempt, retry]);
  return { page, attempt, isFailed, retry, onBroken };
}

type Under = Readonly<{ documentId: string | null; documentPage: number | null }>;

/** Loads the pictures of the pages to which the participant may turn next. */
export function usePreloaded(find: FindPage, isReady: boolean, pages: readonly (Under | undefined)[]): void {
  const wanted = JSON.stringify(pages.map((page) => page && [page.documentId, page.documentPage]));
  useEffect(() => {
    if (!isReady) return;
    for (const [documentId, number] of (JSON.parse(wanted) as ([string | null, number | null] | null)[]).map((page) => page ?? []))
      if (documentId && number)
        find(documentId, number).then(
          ({ url }) => (new Image().src = url),
          () => undefined,
        );
  }, [find, isReady, wanted]);
}
