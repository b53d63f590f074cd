import { Mic, MicOff, TriangleAlert, Video, VideoOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { avatarColor, hueOf } from '@classroom/page/color';
import type { LocalTrack } from 'livekit-client';
import { useApp, usePart } from '../app/context.js';
import { devicesOf, OwnDevices } from './own-devices.js';
import { useTranslation } from '../i18n/index.js';
import type { Device } from '../media/devices.js';
import { initialsOf } from '../media/people.js';
import './preview.css';
import './checks.css';

interface PreviewProps {
  uid: string;
  name: string;
  photoURL: string | null;
  /** Those that the participant may use. */
  devices: readonly Device[];
  onToggle(device: Device, isOn: boolean): void;
}

/** Shows the participant how the others will see and hear them. */
export function Preview({ uid, name, photoURL, devices, onToggle }: PreviewProps) {
  const { t } = useTranslation();
  const own = usePart(OwnDevices);
  const { camera, microphone } = useApp(devicesOf);
  const video = useRef<HTMLVideoElement>(null);
  const track = camera.isOn ? own.track('camera') : undefined;
  useEffect(() => {
    const { current } = video;
    if (!current || !track) return undefined;
    track.attach(current);
    return () => void track.detach(current);
  }, [track]);
  const audioTrack = microphone.isOn ? own.track('microphone') : undefined;
  const statusText = track ? undefined : camera.isOn ? t('lobby.cameraStarting') : t('lobby.cameraOff');
  const button = (device: Device, isOn: boolean) => {
    const Icon = device === 'camera' ? (isOn ? Video : VideoOff) : isOn ? Mic : MicOff;
    const label = t(`controls.${device}.${isOn ? 'on' : 'off'}`);
    return (
      <button
        key={device}
        type="button"
        className="preview-button"
        aria-label={label}
        title={label}
        data-action={device}
        data-on={isOn}
        onClick={() => onToggle(device, !isOn)}
      >
        <Icon aria-hidden />
      </button>
    );
  };
  return (
    <section className="preview" aria-label={t('lobby.preview')}>
      <video ref={video} autoPlay playsInline muted hidden={!track} />
      {!track && (
        <div className="preview-off">
          <span className="preview-avatar" style={{ background: avatarColor(hueOf(uid)) }} aria-hidden>
            {photoURL ? <img src={photoURL} alt="" onError={(event) => event.currentTarget.remove()} /> : null}
            {initialsOf(name)}
          </span>
          <span>{statusText}</span>
        </div>
      )}
      <div className="preview-controls">{devices.map((device) => button(device, (device === 'camera' ? camera : microphone).isOn))}</div>
      <LevelMeter track={audioTrack} />
    </section>
  );
}

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

/** Checks devices and connection automatically. Shows a message with the next step only if there is a problem. */
export function PreflightChecks({ wanted }: { wanted: readonly Device[] }) {
  const { t } = useTranslation();
  const devices = useApp(devicesOf);
  const url = useApp((app) => app.session?.livekitUrl);
  const isReachable = useReachable(url);
  const failed = wanted.filter((device) => devices[device].deviceError);
  const first = failed[0];
  const isSameError = failed.length === 2 && devices.camera.deviceError === devices.microphone.deviceError;
  const messages: string[] = [];
  if (isSameError && first) messages.push(t(`lobby.deviceError.${devices[first].deviceError}.both`));
  else for (const device of failed) messages.push(t(`lobby.deviceError.${devices[device].deviceError}.${device}`));
  if (!isReachable) messages.push(t('lobby.unreachable'));
  return (
    <div className="checks" role="status">
      {messages.map((message) => (
        <p key={message} className="check">
          <TriangleAlert aria-hidden />
          <span>{message}</span>
        </p>
      ))}
      {failed.length > 0 && <p className="quiet check-comfort">{t('lobby.without')}</p>}
    </div>
  );
}

function useReachable(url: string | undefined): boolean {
  const [isReachable, setReachable] = useState(true);
  useEffect(() => {
    if (!url) return undefined;
    const controller = new AbortController();
    const check = async () => {
      const isReachableNow = await canReachServer(url, controller.signal);
      if (!controller.signal.aborted) setReachable(isReachableNow);
    };
    void check();
    window.addEventListener('online', check);
    return () => {
      controller.abort();
      window.removeEventListener('online', check);
    };
  }, [url]);
  return isReachable;
}

const TIMEOUT_MS = 8_000;

/** Whether the media server answers an HTTP request, with whatever status. */
export async function canReachServer(livekitUrl: string, signal: AbortSignal): Promise<boolean> {
  const address = livekitUrl.replace(/^ws/, 'http');
  try {
    await fetch(address, { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    return true;
  } catch {
    return signal.aborted;
  }
}
