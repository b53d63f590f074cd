import { useTranslation } from '../i18n/index.js';
import { useApp } from '../app/context.js';

/** Announces to screen readers what other users see. */
export function LiveRegion() {
  const { t } = useTranslation();
  const said = useApp((app) => app.said);
  return (
    <div className="unseen" role="status" aria-live="polite">
      {said && <span key={said.nth}>{t(said.key, said.values ?? {})}</span>}
    </div>
  );
}
