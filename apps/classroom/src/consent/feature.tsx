import { CircleDot } from 'lucide-react';
import { useApp, usePart } from '../app/context.js';
import type { Feature } from '../app/feature.js';
import { useTranslation } from '../i18n/index.js';
import { LoadedPanel } from '../ui/LoadedPanel.js';
import { MenuItem } from '../ui/Menu.js';
import { Consent } from './consent.js';

const loadDialog = () => import('./ConsentDialog.js').then(({ ConsentDialog }) => ConsentDialog);

/** The question for consent, which is loaded when a class asks for it. */
function Everywhere() {
  const isOpen = useApp((app) => app.consent !== undefined);
  return isOpen ? <LoadedPanel load={loadDialog} /> : null;
}

function MoreItems() {
  const { t } = useTranslation();
  const consent = usePart(Consent);
  const hasConsent = useApp((app) => app.session?.consent !== undefined);
  if (!hasConsent) return null;
  return (
    <MenuItem icon={<CircleDot aria-hidden />} action="consent" onChoose={() => consent.open()}>
      {t('controls.consent')}
    </MenuItem>
  );
}

/** The question for consent to recordings. */
export const consent: Feature = { Part: Consent, Everywhere, MoreItems };
