import { useEffect, useState } from 'react';

/** Devices with a name: nameless ones are behind a question the page has not asked, and no choice. */
export function useDeviceList(kind: MediaDeviceKind, refreshOn?: unknown): MediaDeviceInfo[] {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    const media = navigator.mediaDevices as MediaDevices | undefined;
    if (!media) return undefined;
    let isCurrent = true;
    const look = async () => {
      const all = await media.enumerateDevices().catch(() => []);
      if (isCurrent) setDevices(all.filter((device) => device.kind === kind && device.label));
    };
    void look();
    media.addEventListener('devicechange', look);
    return () => {
      isCurrent = false;
      media.removeEventListener('devicechange', look);
    };
  }, [kind, refreshOn]);
  return devices;
}

/** Whether the browser lets a page say where its sound comes out. */
export const canChooseSpeaker = 'setSinkId' in HTMLMediaElement.prototype;
