import { ArrowDown } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { useScroll } from '../../panels/chat/use-scroll.js';
import { Away } from '../Away.js';
import { isUnderWay } from './exchange.js';
import { ExchangeItem } from './ExchangeItem.js';
import { QuestionField } from './QuestionField.js';
import { useDialogue } from './use-dialogue.js';

const nothing = () => undefined;

/** A student's dialogue with the tutor. */
export function DialoguePanel() {
  const { t } = useTranslation('tutor');
  const { dialogue, state } = useDialogue();
  const { exchanges, isLoaded, failure, isOffline, canSpeak, readsAloud, heard, said } = state;
  const last = exchanges.at(-1);
  const isBusy = last !== undefined && isUnderWay(last);
  const own = exchanges.filter(({ key, questionId }) => key !== questionId).length;
  const { ref, unseen, onScroll, toEnd } = useScroll({
    first: exchanges[0]?.key ?? '',
    last: last?.key ?? '',
    count: exchanges.length,
    own,
    onTop: nothing,
  });
  const news = last?.failure ? t([`failed.${last.failure}`, 'failed.OTHER']) : isBusy ? undefined : said?.answer;
  return (
    <div className="tutor-panel" aria-busy={isBusy}>
      <div className="chat-scroll" ref={ref} onScroll={onScroll} role="region" aria-label={t('dialogue')} tabIndex={0}>
        {!isLoaded && failure && <Away words={t([`failed.${failure}`, 'failed.OTHER'])} onRetry={() => dialogue.load()} />}
        {!isLoaded && !failure && <p className="panel-empty tutor-loading">{t('loading')}</p>}
        {isLoaded && !last && <p className="panel-empty">{t('empty')}</p>}
        <ol>
          {exchanges.map((exchange) => (
            <ExchangeItem
              key={exchange.key}
              exchange={exchange}
              dialogue={dialogue}
              isHeard={heard === exchange.key && !isBusy}
              mayRetry={!isBusy}
            />
          ))}
        </ol>
      </div>
      {unseen > 0 && (
        <button type="button" className="chat-new" onClick={toEnd}>
          <ArrowDown aria-hidden />
          {t('newer')}
        </button>
      )}
      <p className="unseen" role="status">
        {news}
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
            <span className="switch" aria-hidden />
          </button>
        )}
        <QuestionField dialogue={dialogue} state={state} isBusy={isBusy} />
      </div>
    </div>
  );
}
