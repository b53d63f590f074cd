import { useEffect, useState } from 'react';

/** Devices with a name. The browser hides the names until the user has allowed a device, and unnamed devices are omitted. */
export function useDeviceList(kind: MediaDeviceKind, refreshOn?: unknown): MediaDeviceInfo[] {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    const media = navigator.mediaDevices as MediaDevices | undefined;
    if (!media) return undefined;
    let isCurrent = true;
    const update = async () => {
      const all = await media.enumerateDevices().catch(() => []);
      if (isCurrent) setDevices(all.filter((device) => device.kind === kind && device.label));
    };
    void update();
    media.addEventListener('devicechange', update);
    return () => {
      isCurrent = false;
      media.removeEventListener('devicechange', update);
    };
  }, [kind, refreshOn]);
  return devices;
}

/** Whether the browser lets a page choose the audio output. */
export const canChooseSpeaker = 'setSinkId' in HTMLMediaElement.prototype;
