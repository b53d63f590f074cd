import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { SendHorizontal, X } from 'lucide-react';
import { keyOf } from '@classroom/page/keys';
import { formatDuration } from '../../app/format-duration.js';
import { useApp, useClassroom } from '../../app/context.js';
import { useTranslation } from '../../i18n/index.js';
import { toDeviceError } from '../../media/devices.js';
import { toBase64 } from '../audio/base64.js';
import { VoiceRecording } from '../audio/voice-recording.js';

const MAX_SECONDS = 60;
/** Shorter recordings, in seconds, are discarded as accidental. */
const MIN_SECONDS = 0.4;
const BARS = 5;

interface Props {
  /** Called with the question as a WAV in base64. */
  onDone(audio: string): void;
  onCancel(): void;
}

/** Records a spoken question: asks for the microphone, shows its level, and ends at the button or after a minute. */
export function VoiceQuestion({ onDone, onCancel }: Props) {
  const { t } = useTranslation('tutor');
  const { devices } = useClassroom();
  const isMicrophoneOnInClass = useApp((app) => app.devices.microphone.isOn);
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
