import type { Track } from 'livekit-client';
import { useEffect, useState, type RefObject } from 'react';

const CHECK_INTERVAL_MS = 1_000;

/**
 * Shows the track in the element with livekit-client's attach, which lets livekit-client know the needed size. Returns whether
 * no new frame arrived for a second; for a shared screen, whether no frame has arrived at all, because a still screen sends
 * none.
 */
export function useVideo(ref: RefObject<HTMLVideoElement | null>, track: Track | undefined, isScreen: boolean): boolean {
  const [isStalled, setStalled] = useState(false);
  useEffect(() => {
    const video = ref.current;
    if (!video || !track) return undefined;
    track.attach(video);
    let previousFrames = 0;
    const check = () => {
      if (document.hidden) return;
      const frames = video.getVideoPlaybackQuality().totalVideoFrames;
      setStalled(isScreen ? frames === 0 : frames === previousFrames);
      previousFrames = frames;
    };
    const timer = setInterval(check, CHECK_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      track.detach(video);
      setStalled(false);
    };
  }, [ref, track, isScreen]);
  return isStalled;
}
