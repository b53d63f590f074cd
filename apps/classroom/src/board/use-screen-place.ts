import { type RefObject, useEffect, useState } from 'react';
import { type Size, useSize } from '../stage/tile-layout.js';
import { contained, type Place } from './screen-place.js';

/** @param ground lies over a tile @returns its size, and where in it the picture of the tile is: undefined before the picture has a size */
export function useScreenPlace(ground: RefObject<HTMLElement | null>): { size: Size; place: Place | undefined } {
  const size = useSize(ground);
  const picture = usePicture(ground);
  return { size, place: contained(picture, size) };
}

/** The pixels of the picture that the tile shows. */
function usePicture(ground: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const video = ground.current?.closest('.tile')?.querySelector('video');
    if (!video) return undefined;
    const measure = () => setSize({ width: video.videoWidth, height: video.videoHeight });
    measure();
    for (const name of ['loadedmetadata', 'resize']) video.addEventListener(name, measure);
    return () => {
      for (const name of ['loadedmetadata', 'resize']) video.removeEventListener(name, measure);
    };
  }, [ground]);
  return size;
}
