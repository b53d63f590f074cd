import { ArrowDown } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { useScroll } from '../../panels/chat/use-scroll.js';
import { Unavailable } from '../Unavailable.js';
import { isPending } from './exchange.js';
import { ExchangeItem } from './ExchangeItem.js';
import { QuestionField } from './QuestionField.js';
import { useDialogue } from './use-dialogue.js';

const noop = () => undefined;

/** A student's dialogue with the tutor. */
export function DialoguePanel() {
  const { t } = useTranslation('tutor');
  const { dialogue, state } = useDialogue();
  const { exchanges, isLoaded, failure, isOffline, canSpeak, readsAloud, replayableKey, announcement } = state;
  const last = exchanges.at(-1);
  const isBusy = last !== undefined && isPending(last);
  const own = exchanges.filter(({ key, questionId }) => key !== questionId).length;
  const { ref, unseen, onScroll, scrollToEnd } = useScroll({
    first: exchanges[0]?.key ?? '',
    last: last?.key ?? '',
    count: exchanges.length,
    own,
    onTop: noop,
  });
  const announcedText = last?.failure ? t([`failed.${last.failure}`, 'failed.OTHER']) : isBusy ? undefined : announcement?.answer;
  return (
    <div className="tutor-panel" aria-busy={isBusy}>
      <div className="chat-scroll" ref={ref} onScroll={onScroll} role="region" aria-label={t('dialogue')} tabIndex={0}>
        {!isLoaded && failure && <Unavailable message={t([`failed.${failure}`, 'failed.OTHER'])} onRetry={() => dialogue.load()} />}
        {!isLoaded && !failure && <p className="panel-empty tutor-loading">{t('loading')}</p>}
        {isLoaded && !last && <p className="panel-empty">{t('empty')}</p>}
        <ol>
          {exchanges.map((exchange) => (
            <ExchangeItem
              key={exchange.key}
              exchange={exchange}
              dialogue={dialogue}
              canReplay={replayableKey === exchange.key && !isBusy}
              mayRetry={!isBusy}
            />
          ))}
        </ol>
      </div>
      {unseen > 0 && (
        <button type="button" className="chat-new" onClick={scrollToEnd}>
          <ArrowDown aria-hidden />
          {t('newer')}
        </button>
      )}
      <p className="unseen" role="status">
        {announcedText}
      </p>
      <div className="tutor-foot">
        {isOffline && <p className="tutor-note">{t('offline')}</p>}
        {canSpeak && (
          <button
            type="button"
            role="switch"
            className="tutor-switch"
            aria-checked={readsAloud}
            data-action="read-aloud"
            onClick={() => dialogue.setReadsAloud(!readsAloud)}
          >
            <span>{t('readAloud')}</span>
            <span className="tutor-knob" aria-hidden />
          </button>
        )}
        <QuestionField dialogue={dialogue} state={state} isBusy={isBusy} />
      </div>
    </div>
  );
}
