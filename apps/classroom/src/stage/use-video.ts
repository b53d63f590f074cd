import type { Track } from 'livekit-client';
import { useEffect, useState, type RefObject } from 'react';

const LOOK_MS = 1_000;

/**
 * Shows the track in the element, by livekit-client's own attach: it then knows how large the picture is needed. Answers
 * whether pictures have failed to come for a second; a shared screen that stands still sends none.
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
