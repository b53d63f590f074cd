import { useEffect, useLayoutEffect, type RefObject } from 'react';

/** Makes a text area as high as its text, also after its width has changed. */
export function useGrowing(area: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (area.current) fit(area.current);
  }, [area, text]);
  useEffect(() => {
    const { current } = area;
    if (!current) return undefined;
    let width = current.clientWidth;
    const observer = new ResizeObserver(() => {
      if (current.clientWidth === width) return;
      width = current.clientWidth;
      fit(current);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [area]);
}

function fit(area: HTMLTextAreaElement): void {
  area.style.blockSize = 'auto';
  area.style.blockSize = `${area.scrollHeight + 2}px`;
}
