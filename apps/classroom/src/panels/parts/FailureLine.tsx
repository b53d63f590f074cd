import { useTranslation } from '../../i18n/index.js';
import type { ApiErrorCode } from '@classroom/page/api-error';

/** Shows why an action failed. The status region exists before the text appears, so that screen readers announce the text. */
export function FailureLine({ code }: { code: ApiErrorCode | undefined }) {
  const { t } = useTranslation('panels');
  return (
    <p className="failure-line" role="status">
      {code && t([`error.${code}`, 'error.OTHER'])}
    </p>
  );
}
