import { useId, useLayoutEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { Mic, SendHorizontal, Square } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { usePanel } from '../../panels/parts/panel-context.js';
import { useDraft } from '../../panels/parts/use-draft.js';
import type { DialogueState, TutorDialogue } from './dialogue.js';
import { VoiceQuestion } from './VoiceQuestion.js';

/** The service's limit, in characters as a person counts them. */
const MOST = 32_000;
const NEAR_END = 500;

const canRecord = typeof MediaRecorder !== 'undefined';

interface Props {
  dialogue: TutorDialogue;
  state: DialogueState;
  isBusy: boolean;
}

/** Where a question is written or spoken; while an answer comes or is read out, its button ends that. */
export function QuestionField({ dialogue, state, isBusy }: Props) {
  const { t } = useTranslation(['tutor', 'panels']);
  const { store } = usePanel();
  const [text, setText] = useDraft(store, 'tutor', '');
  const [isSpeaking, setSpeaking] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const microphone = useRef<HTMLButtonElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const hintId = useId();
  const left = MOST - [...text].length;
  const isEmpty = text.trim() === '';
  const isStop = isBusy || (state.isPlaying && isEmpty);

  useLayoutEffect(() => {
    const { current } = area;
    if (!current) return;
    current.style.blockSize = 'auto';
    current.style.blockSize = `${current.scrollHeight + 2}px`;
  }, [text, isSpeaking]);

  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (isBusy || isEmpty || left < 0) return;
    void dialogue.ask({ text: text.trim() });
    setText('');
    area.current?.focus();
  };
  const doneSpeaking = (audio?: string) => {
    setSpeaking(false);
    if (audio) void dialogue.ask({ audio });
    // While the answer comes, what can be pressed is Stop.
    requestAnimationFrame(() => (audio ? button : microphone).current?.focus());
  };
  if (isSpeaking) return <VoiceQuestion onDone={doneSpeaking} onCancel={() => doneSpeaking()} />;
  const label = t(isStop ? 'stop' : 'ask');
  return (
    <form className="composer" onSubmit={send}>
      {left <= NEAR_END && (
        <p className={left < 0 ? 'composer-left is-over' : 'composer-left'} id={hintId} role="status">
          {left < 0 ? t('panels:chat.over', { count: -left }) : t('panels:chat.left', { count: left })}
        </p>
      )}
      <textarea
        ref={area}
        rows={1}
        dir="auto"
        value={text}
        placeholder={t('write')}
        aria-label={t('write')}
        aria-describedby={left <= NEAR_END ? hintId : undefined}
        aria-invalid={left < 0}
        data-action="tutor-text"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          // While a word is being composed, Enter chooses it.
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
        }}
      />
      {state.canListen && canRecord && (
        <button
          ref={microphone}
          type="button"
          className="icon-button"
          disabled={isBusy}
          aria-label={t('voice.start')}
          title={t('voice.start')}
          data-action="tutor-voice"
          onClick={() => {
            dialogue.stop();
            setSpeaking(true);
          }}
        >
          <Mic aria-hidden />
        </button>
      )}
      <button
        ref={button}
        type={isStop ? 'button' : 'submit'}
        className="icon-button composer-send"
        disabled={!isStop && (isEmpty || left < 0)}
        aria-label={label}
        title={label}
        data-action={isStop ? 'tutor-stop' : 'tutor-ask'}
        onClick={isStop ? () => dialogue.stop() : undefined}
      >
        {isStop ? <Square aria-hidden /> : <SendHorizontal aria-hidden />}
      </button>
    </form>
  );
}
