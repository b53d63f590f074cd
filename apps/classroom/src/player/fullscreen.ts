import { useSyncExternalStore } from 'react';

/** On an iPhone, only the video element can be shown in full screen, with the system's controls. */
interface IosVideo extends HTMLVideoElement {
  webkitSupportsFullscreen?: boolean;
  webkitEnterFullscreen?(): void;
}

export const hasFullscreen = (video: IosVideo): boolean => document.fullscreenEnabled || (video.webkitSupportsFullscreen ?? false);

export function toggleFullscreen(video: IosVideo): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else if (document.fullscreenEnabled) document.documentElement.requestFullscreen().catch(() => undefined);
  else video.webkitEnterFullscreen?.();
}

export function useIsFullscreen(): boolean {
  return useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}
