import type { LocalTrack } from 'livekit-client';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../i18n/index.js';

const BARS = 5;
/** The level of speech at arm's length from the microphone, as a share of full scale. */
const SPEECH_LEVEL = 0.12;

/** Shows the microphone's level, so that the participant notices a microphone that picks up nothing. */
export function LevelMeter({ track }: { track: LocalTrack | undefined }) {
  const { t } = useTranslation();
  const meter = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!track) return undefined;
    const context = new AudioContext();
    // Some browsers start an AudioContext only after a user gesture of any kind.
    const resume = () => void context.resume();
    document.addEventListener('pointerdown', resume);
    const analyser = context.createAnalyser();
    analyser.fftSize = 512;
    const source = context.createMediaStreamSource(new MediaStream([track.mediaStreamTrack]));
    source.connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    let frame = 0;
    let level = 0;
    const draw = () => {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      level = Math.max(Math.min(1, Math.sqrt(power) / SPEECH_LEVEL), level * 0.85);
      meter.current?.style.setProperty('--level', level.toFixed(2));
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => {
      document.removeEventListener('pointerdown', resume);
      cancelAnimationFrame(frame);
      source.disconnect();
      void context.close();
    };
  }, [track]);
  if (!track) return null;
  return (
    <div className="meter" ref={meter} role="img" aria-label={t('lobby.meter')}>
      {Array.from({ length: BARS }, (_, i) => (
        <span key={i} style={{ '--bar': (i + 1) / BARS } as React.CSSProperties} />
      ))}
    </div>
  );
}
