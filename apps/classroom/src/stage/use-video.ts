import type { Track } from 'livekit-client';
import { useEffect, useState, type RefObject } from 'react';

const LOOK_MS = 1_000;

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
    let seen = 0;
    const look = () => {
      if (document.hidden) return;
      const frames = video.getVideoPlaybackQuality().totalVideoFrames;
      setStalled(isScreen ? frames === 0 : frames === seen);
      seen = frames;
    };
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearInterval(timer);
      track.detach(video);
      setStalled(false);
    };
  }, [ref, track, isScreen]);
  return isStalled;
}
