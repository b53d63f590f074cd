import { RotateCw } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import { useAction } from '../ui/action.js';

interface Props {
  /** A text that states what is unavailable. */
  message: string;
  /** Resolves when the retry has succeeded or failed. */
  onRetry(): Promise<void>;
}

export function Unavailable({ message, onRetry }: Props) {
  const { t } = useTranslation('tutor');
  const { runAction, isBusy } = useAction();
  return (
    <div className="panel-empty tutor-away" role="status">
      <p>{message}</p>
      <button type="button" className="text-button" disabled={isBusy} data-action="tutor-reload" onClick={() => void runAction(onRetry)}>
        <RotateCw aria-hidden />
        {t(isBusy ? 'loading' : 'retry')}
      </button>
    </div>
  );
}
