import { RotateCw } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import { useAction } from '../panels/parts/use-action.js';

interface Props {
  /** A text that states what is unavailable. */
  words: string;
  /** Resolves when the retry has succeeded or failed. */
  onRetry(): Promise<void>;
}

export function Away({ words, onRetry }: Props) {
  const { t } = useTranslation('tutor');
  const { run, isBusy } = useAction();
  return (
    <div className="panel-empty tutor-away" role="status">
      <p>{words}</p>
      <button type="button" className="text-button" disabled={isBusy} data-action="tutor-reload" onClick={() => void run(onRetry)}>
        <RotateCw aria-hidden />
        {t(isBusy ? 'loading' : 'retry')}
      </button>
    </div>
  );
}
