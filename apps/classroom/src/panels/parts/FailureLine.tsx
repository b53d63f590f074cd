import { useTranslation } from '../../i18n/index.js';
import type { RefusalCode } from '../../session/refusal.js';

/** Why something did not go through, in words. The region stands there before the words do, so that they are read out. */
export function FailureLine({ code }: { code: RefusalCode | undefined }) {
  const { t } = useTranslation('panels');
  return (
    <p className="failure-line" role="status">
      {code && t([`error.${code}`, 'error.OTHER'])}
    </p>
  );
}
