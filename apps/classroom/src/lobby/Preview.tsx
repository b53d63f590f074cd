import { Mic, MicOff, Video, VideoOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useApp, useClassroom } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import type { Device } from '../media/devices.js';
import { initialsOf } from '../media/person.js';
import { avatarColor, hueOf } from '@classroom/page/color';
import { LevelMeter } from './LevelMeter.js';
import './preview.css';

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
  const classroom = useClassroom();
  const { camera, microphone } = useApp((app) => app.devices);
  const video = useRef<HTMLVideoElement>(null);
  const track = camera.isOn ? classroom.devices.track('camera') : undefined;
  useEffect(() => {
    const { current } = video;
    if (!current || !track) return undefined;
    track.attach(current);
    return () => void track.detach(current);
  }, [track]);
  const audioTrack = microphone.isOn ? classroom.devices.track('microphone') : undefined;
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
