import { useTranslation } from '../i18n/index.js';
import { useApp } from '../app/context.js';

/** Announces to screen readers what other users see. */
export function LiveRegion() {
  const { t } = useTranslation();
  const announcement = useApp((app) => app.announcement);
  return (
    <div className="unseen" role="status" aria-live="polite" data-live>
      {announcement && <span key={announcement.sequence}>{t(announcement.key, announcement.values ?? {})}</span>}
    </div>
  );
}
