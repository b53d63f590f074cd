import { MonitorUp, MonitorX } from 'lucide-react';
import { useApp, usePart, usePermissions } from '../app/context.js';
import type { Action, Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import { ScreenShare } from './screen-share.js';

const canShare = typeof navigator !== 'undefined' && 'getDisplayMedia' in (navigator.mediaDevices ?? {});

function useActions(): Action[] {
  const { t } = useTranslation();
  const part = usePart(ScreenShare);
  const isSharing = useApp((app) => app.isSharing) ?? false;
  const showsControls = useApp(({ session }) => session?.room.customization.showVideoControls ?? true);
  const { shareScreen } = usePermissions();
  if (!showsControls || !shareScreen || !canShare) return [];
  return [
    {
      id: 'share',
      icon: isSharing ? MonitorX : MonitorUp,
      label: t(isSharing ? 'controls.unshare' : 'controls.share'),
      otherLabel: t(isSharing ? 'controls.share' : 'controls.unshare'),
      shortcut: 's',
      isOn: isSharing,
      onPress: () => void part.set(!isSharing),
    },
  ];
}

/** Shown to who shares, as long as they do. */
function Notice() {
  const { t } = useTranslation();
  const part = usePart(ScreenShare);
  const isSharing = useApp((app) => app.isSharing);
  if (!isSharing) return null;
  return (
    <section className="notice notice-action" aria-label={t('sharing')}>
      <MonitorUp aria-hidden />
      <span className="notice-words">{t('sharing')}</span>
      <button type="button" className="button" data-action="stop-share" onClick={() => void part.set(false)}>
        {t('controls.unshare')}
      </button>
    </section>
  );
}

/** The participant's shared screen. */
export const screenShare: Feature = { Part: ScreenShare, Notice, useActions };
