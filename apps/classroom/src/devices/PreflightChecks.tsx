import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useApp } from '../app/context.js';
import { devicesOf } from './own-devices.js';
import { useTranslation } from '../i18n/index.js';
import type { Device } from '../media/devices.js';
import './checks.css';

/** Checks devices and connection automatically. Shows a message with the next step only if there is a problem. */
export function PreflightChecks({ wanted }: { wanted: readonly Device[] }) {
  const { t } = useTranslation();
  const devices = useApp(devicesOf);
  const url = useApp((app) => app.session?.livekitUrl);
  const isReachable = useReachable(url);
  const failed = wanted.filter((device) => devices[device].deviceError);
  const first = failed[0];
  const isSameError = failed.length === 2 && devices.camera.deviceError === devices.microphone.deviceError;
  const messages: string[] = [];
  if (isSameError && first) messages.push(t(`lobby.deviceError.${devices[first].deviceError}.both`));
  else for (const device of failed) messages.push(t(`lobby.deviceError.${devices[device].deviceError}.${device}`));
  if (!isReachable) messages.push(t('lobby.unreachable'));
  return (
    <div className="checks" role="status">
      {messages.map((message) => (
        <p key={message} className="check">
          <TriangleAlert aria-hidden />
          <span>{message}</span>
        </p>
      ))}
      {failed.length > 0 && <p className="quiet check-comfort">{t('lobby.without')}</p>}
    </div>
  );
}

function useReachable(url: string | undefined): boolean {
  const [isReachable, setReachable] = useState(true);
  useEffect(() => {
    if (!url) return undefined;
    const controller = new AbortController();
    const check = async () => {
      const isReachableNow = await canReachServer(url, controller.signal);
      if (!controller.signal.aborted) setReachable(isReachableNow);
    };
    void check();
    window.addEventListener('online', check);
    return () => {
      controller.abort();
      window.removeEventListener('online', check);
    };
  }, [url]);
  return isReachable;
}

const TIMEOUT_MS = 8_000;

/** Whether the media server answers an HTTP request, with whatever status. */
export async function canReachServer(livekitUrl: string, signal: AbortSignal): Promise<boolean> {
  const address = livekitUrl.replace(/^ws/, 'http');
  try {
    await fetch(address, { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    return true;
  } catch {
    return signal.aborted;
  }
}
