import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useApp } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import type { Device } from '../media/devices.js';
import { canReach } from './reach.js';

/** Checks devices and connection automatically. Shows a message with the next step only if there is a problem. */
export function Checks({ mayPublish, wanted }: { mayPublish: boolean; wanted: readonly Device[] }) {
  const { t } = useTranslation();
  const devices = useApp((app) => app.devices);
  const url = useApp((app) => app.session?.livekitUrl);
  const isReachable = useReachable(url);
  const failed = mayPublish ? wanted.filter((device) => devices[device].hindrance) : [];
  const first = failed[0];
  const isSame = failed.length === 2 && devices.camera.hindrance === devices.microphone.hindrance;
  const words: string[] = [];
  if (isSame && first) words.push(t(`lobby.hindrance.${devices[first].hindrance}.both`));
  else for (const device of failed) words.push(t(`lobby.hindrance.${devices[device].hindrance}.${device}`));
  if (!isReachable) words.push(t('lobby.unreachable'));
  return (
    <div className="checks" role="status">
      {words.map((sentence) => (
        <p key={sentence} className="check">
          <TriangleAlert aria-hidden />
          <span>{sentence}</span>
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
    const look = async () => {
      const isThere = await canReach(url, controller.signal);
      if (!controller.signal.aborted) setReachable(isThere);
    };
    void look();
    window.addEventListener('online', look);
    return () => {
      controller.abort();
      window.removeEventListener('online', look);
    };
  }, [url]);
  return isReachable;
}
