import { useRef, useState, useEffect, useLayoutEffect } from 'react';
import { Mic, SendHorizontal, Square, X } from 'lucide-react';
import { useTranslation, formatDuration } from '../i18n/index.js';
import { usePanel, useDraft } from '../ui/panel-context.js';
import { remainingCharacters, MessageField, type SendEvent } from '../ui/MessageField.js';
import type { DialogueState, TutorDialogue } from './dialogue.js';
import { keyOf } from '@classroom/page/keys';
import { useApp, usePart } from '../app/context.js';
import { devicesOf, OwnDevices } from '../devices/own-devices.js';
import { toDeviceError } from '../media/devices.js';
import { toBase64 } from './wav.js';
import { VoiceRecording } from './voice-recording.js';

/** The service's limit, counted in Unicode characters. */
const MAX_LENGTH = 32_000;
const WARN_AT = 500;

const canRecord = typeof MediaRecorder !== 'undefined';

interface QuestionFieldProps {
  dialogue: TutorDialogue;
  state: DialogueState;
  isBusy: boolean;
}

/** The field for a written or spoken question. While an answer arrives or is read aloud, its button stops that. */
export function QuestionField({ dialogue, state, isBusy }: QuestionFieldProps) {
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

const MAX_SECONDS = 60;
/** Shorter recordings, in seconds, are discarded as accidental. */
const MIN_SECONDS = 0.4;
const BARS = 5;

interface VoiceQuestionProps {
  /** Called with the question as a WAV in base64. */
  onDone(audio: string): void;
  onCancel(): void;
}

/** Records a spoken question: asks for the microphone, shows its level, and ends at the button or after a minute. */
export function VoiceQuestion({ onDone, onCancel }: VoiceQuestionProps) {
  const { t } = useTranslation('tutor');
  const devices = usePart(OwnDevices);
  const isMicrophoneOnInClass = useApp((app) => devicesOf(app).microphone.isOn);
  const [recording, setRecording] = useState<VoiceRecording>();
  const [problem, setProblem] = useState<string>();
  const [seconds, setSeconds] = useState(0);
  const container = useRef<HTMLElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const sendButton = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    let own: VoiceRecording | undefined;
    let isGone = false;
    VoiceRecording.start(devices.chosenId('microphone')).then(
      (started) => {
        if (isGone) return started.discard();
        own = started;
        setRecording(started);
      },
      (error: unknown) => setProblem(toDeviceError(error, 'microphone')),
    );
    return () => {
      isGone = true;
      own?.discard();
    };
  }, [devices]);

  const send = async () => {
    if (!recording) return;
    if (recording.seconds < MIN_SECONDS) return onCancel();
    try {
      onDone(toBase64(await recording.finish()));
    } catch {
      setRecording(undefined);
      setProblem('failed');
    }
  };
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });

  // The button that opened this is gone, and Escape works only from inside.
  useLayoutEffect(() => (recording ? sendButton : cancelButton).current?.focus(), [recording]);

  useEffect(() => {
    if (!recording) return undefined;
    let frame = 0;
    const draw = () => {
      container.current?.style.setProperty('--level', recording.level().toFixed(2));
      setSeconds(Math.floor(recording.seconds));
      if (recording.seconds >= MAX_SECONDS) void latest.current();
      else frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [recording]);

  return (
    <section
      ref={container}
      className="composer voice"
      aria-label={t('voice.label')}
      onKeyDown={(event) => {
        if (keyOf(event.nativeEvent) !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      {isMicrophoneOnInClass && <p className="tutor-note">{t('voice.audibleInClass')}</p>}
      <div className="voice-line">
        {recording && (
          <span className="voice-level" role="img" aria-label={t('voice.level')}>
            {Array.from({ length: BARS }, (_, i) => (
              <span key={i} style={{ '--bar': (i + 1) / BARS } as React.CSSProperties} />
            ))}
          </span>
        )}
        <p className={problem ? 'voice-words tutor-failure' : 'voice-words'} role="status">
          {problem ? t(`microphone.${problem}`) : t(recording ? 'voice.listening' : 'voice.waiting')}
        </p>
        {recording && (
          <span className="voice-time" role="timer" aria-label={t('voice.time')}>
            {formatDuration(seconds * 1000)} / {formatDuration(MAX_SECONDS * 1000)}
          </span>
        )}
      </div>
      <button
        ref={cancelButton}
        type="button"
        className="icon-button"
        aria-label={t('voice.cancel')}
        title={t('voice.cancel')}
        data-action="voice-cancel"
        onClick={onCancel}
      >
        <X aria-hidden />
      </button>
      {recording && (
        <button
          ref={sendButton}
          type="button"
          className="icon-button composer-send"
          aria-label={t('voice.send')}
          title={t('voice.send')}
          data-action="voice-send"
          onClick={() => void send()}
        >
          <SendHorizontal aria-hidden />
        </button>
      )}
    </section>
  );
}
