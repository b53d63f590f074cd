import { useRef, useState } from 'react';
import { Mic, SendHorizontal, Square } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { usePanel } from '../../panels/parts/panel-context.js';
import { useDraft } from '../../panels/parts/use-draft.js';
import { remainingCharacters, MessageField, type SendEvent } from '../../panels/parts/MessageField.js';
import type { DialogueState, TutorDialogue } from './dialogue.js';
import { VoiceQuestion } from './VoiceQuestion.js';

/** The service's limit, counted in Unicode characters. */
const MAX_LENGTH = 32_000;
const WARN_AT = 500;

const canRecord = typeof MediaRecorder !== 'undefined';

interface Props {
  dialogue: TutorDialogue;
  state: DialogueState;
  isBusy: boolean;
}

/** The field for a written or spoken question. While an answer arrives or is read aloud, its button stops that. */
export function QuestionField({ dialogue, state, isBusy }: Props) {
  const { t } = useTranslation('tutor');
  const { store } = usePanel();
  const [text, setText] = useDraft(store, 'tutor', '');
  const [isRecording, setRecording] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const microphone = useRef<HTMLButtonElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const remaining = remainingCharacters(text, MAX_LENGTH);
  const isEmpty = text.trim() === '';
  const isStopButton = isBusy || (state.isPlaying && isEmpty);

  const send = (event: SendEvent) => {
    event.preventDefault();
    if (isBusy || isEmpty || remaining < 0) return;
    void dialogue.ask({ text: text.trim() });
    setText('');
    area.current?.focus();
  };
  const finishRecording = (audio?: string) => {
    setRecording(false);
    if (audio) void dialogue.ask({ audio });
    // While the answer arrives, this button is Stop; without a question, the focus returns to the microphone.
    requestAnimationFrame(() => (audio ? button : microphone).current?.focus());
  };
  if (isRecording) return <VoiceQuestion onDone={finishRecording} onCancel={() => finishRecording()} />;
  const label = t(isStopButton ? 'stop' : 'ask');
  return (
    <form className="composer" onSubmit={send}>
      <MessageField
        area={area}
        text={text}
        onText={setText}
        onSend={send}
        label={t('write')}
        action="tutor-text"
        remaining={remaining}
        warnAt={WARN_AT}
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
            setRecording(true);
          }}
        >
          <Mic aria-hidden />
        </button>
      )}
      <button
        ref={button}
        type={isStopButton ? 'button' : 'submit'}
        className="icon-button composer-send"
        disabled={!isStopButton && (isEmpty || remaining < 0)}
        aria-label={label}
        title={label}
        data-action={isStopButton ? 'tutor-stop' : 'tutor-ask'}
        onClick={isStopButton ? () => dialogue.stop() : undefined}
      >
        {isStopButton ? <Square aria-hidden /> : <SendHorizontal aria-hidden />}
      </button>
    </form>
  );
}
