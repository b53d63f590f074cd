import { memo, useEffect, useRef } from 'react';
import { Check, GraduationCap, Hand, Mic, RotateCw, UserRound, Volume2 } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { MessageText } from '../../panels/chat/MessageText.js';
import { FailureLine } from '../../panels/parts/FailureLine.js';
import { useAction } from '../../panels/parts/use-action.js';
import type { ApiErrorCode } from '@classroom/page/api-error';
import type { TutorDialogue } from './dialogue.js';
import { isPending, type Exchange } from './exchange.js';

/** With these codes, the service would refuse the same question again. */
const FINAL: readonly ApiErrorCode[] = ['ROOM_ENDED', 'PAYLOAD_TOO_LARGE'];

interface Props {
  exchange: Exchange;
  dialogue: TutorDialogue;
  canReplay: boolean;
  mayRetry: boolean;
}

export const ExchangeItem = memo(({ exchange, dialogue, canReplay, mayRetry }: Props) => {
  const { t } = useTranslation('tutor');
  const { key, question, isSpoken, answer, state, failure, teacherAnswer } = exchange;
  return (
    <li className="tutor-exchange" data-exchange={state}>
      <div className="tutor-question">
        <span className="unseen">{t('you')}</span>
        {isSpoken && <Mic aria-hidden />}
        {question ? <MessageText text={question} /> : <p>{t('spoken')}</p>}
      </div>
      <div className="tutor-answer">
        <p className="tutor-name">
          <GraduationCap aria-hidden />
          {t('tutor')}
        </p>
        {answer && <MessageText text={answer} />}
        {state === 'asking' && (
          <p className="tutor-thinking">
            <span className="spinner" aria-hidden />
            {t('thinking')}
          </p>
        )}
        {state === 'stopped' && <p className="tutor-thinking">{t('stopped')}</p>}
        {state === 'done' && !answer && <p className="tutor-thinking">{t('noAnswer')}</p>}
        {failure && <p className="tutor-failure">{t([`failed.${failure}`, 'failed.OTHER'])}</p>}
        {!isPending(exchange) && (
          <div className="tutor-actions">
            {failure && !FINAL.includes(failure) && (
              <button
                type="button"
                className="text-button"
                disabled={!mayRetry}
                data-action="tutor-retry"
                onClick={() => void dialogue.retry(key)}
              >
                <RotateCw aria-hidden />
                {t('retry')}
              </button>
            )}
            {canReplay && (
              <button type="button" className="text-button" data-action="tutor-listen" onClick={() => dialogue.replay()}>
                <Volume2 aria-hidden />
                {t('listen')}
              </button>
            )}
            {exchange.questionId && <AskTeacher exchange={exchange} dialogue={dialogue} />}
          </div>
        )}
      </div>
      {teacherAnswer && (
        <div className="tutor-answer" data-teacher-answer>
          <p className="tutor-name">
            <UserRound aria-hidden />
            <bdi>{teacherAnswer.name || t('teacher')}</bdi>
          </p>
          <MessageText text={teacherAnswer.text} />
        </div>
      )}
    </li>
  );
});

function AskTeacher({ exchange, dialogue }: Pick<Props, 'exchange' | 'dialogue'>) {
  const { t } = useTranslation('tutor');
  const { runAction, isBusy, failure } = useAction();
  const confirmation = useRef<HTMLParagraphElement>(null);
  const isPressed = useRef(false);
  const { isForTeacher } = exchange;
  // The focus moves to the message, because the button that had it is gone.
  useEffect(() => {
    if (isForTeacher && isPressed.current) confirmation.current?.focus();
  }, [isForTeacher]);
  if (isForTeacher) {
    return (
      <p className="tutor-notice" ref={confirmation} tabIndex={-1}>
        <Check aria-hidden />
        {t('sentToTeacher')}
      </p>
    );
  }
  const ask = () => {
    isPressed.current = true;
    void runAction(() => dialogue.askTeacher(exchange));
  };
  return (
    <>
      <button type="button" className="text-button" disabled={isBusy} data-action="ask-teacher" onClick={ask}>
        <Hand aria-hidden />
        {t('askTeacher')}
      </button>
      <FailureLine code={failure?.code} />
    </>
  );
}
