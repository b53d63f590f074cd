import { ArrowDown, Check, GraduationCap, Hand, Mic, RotateCw, UserRound, Volume2 } from 'lucide-react';
import { useTranslation } from '../i18n/index.js';
import { useScroll } from '../chat/use-scroll.js';
import { Unavailable } from './Unavailable.js';
import { isPending, TutorDialogue, type Exchange, type DialogueState } from './dialogue.js';
import { QuestionField } from './QuestionField.js';
import { memo, useEffect, useRef } from 'react';
import { MessageText } from '../chat/Message.js';
import { FailureLine, useAction } from '../ui/action.js';
import type { ApiErrorCode } from '@classroom/page/api-error';
import { useApp, useClassroom } from '../app/context.js';
import { useStore } from '../store.js';
import type { ClassroomController } from '../app/classroom-controller.js';
import { AudioPlayer } from './audio-player.js';

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

const dialogues = new WeakMap<ClassroomController, TutorDialogue>();

/** One dialogue per visit, however often its panel is opened. */
function getDialogue(classroom: ClassroomController): TutorDialogue {
  const known = dialogues.get(classroom);
  if (known) return known;
  const audioPlayer = new AudioPlayer((isPlaying) => dialogue.setPlaying(isPlaying));
  const dialogue: TutorDialogue = new TutorDialogue({
    api: classroom.api,
    stream: classroom.sessions.stream,
    audioPlayer,
    onTeacherAnswer: ({ name }) => classroom.toasts.showToast({ key: name ? 'tutor:teacherAnswered' : 'tutor:answered', values: { name } }),
  });
  dialogues.set(classroom, dialogue);
  return dialogue;
}

/** Loads the dialogue when the panel opens and after each reconnection; stops its sound when the panel closes. */
export function useDialogue(): { dialogue: TutorDialogue; state: DialogueState } {
  const dialogue = getDialogue(useClassroom());
  const isConnected = useApp((app) => app.state === 'connected');
  useEffect(() => (isConnected ? dialogue.open() : undefined), [dialogue, isConnected]);
  useEffect(() => () => dialogue.close(), [dialogue]);
  return { dialogue, state: useStore(dialogue, (state) => state) };
}
