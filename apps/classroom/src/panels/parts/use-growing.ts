import { useLayoutEffect, type RefObject } from 'react';

/** Makes a text area as high as its text. */
export function useGrowing(area: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const { current } = area;
    if (!current) return;
    current.style.blockSize = 'auto';
    current.style.blockSize = `${current.scrollHeight + 2}px`;
  }, [area, text]);
}
