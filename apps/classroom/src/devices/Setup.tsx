import './setup.css';
import { addTexts, useTranslation } from '../i18n/index.js';
import de from './de.json';
import en from './en.json';
import { useApp, useClassroom, usePart } from '../app/context.js';
import { OwnDevices } from './own-devices.js';
import { canChooseSpeaker, DeviceChoice, DeviceSelects, useDeviceList } from './DeviceMenu.js';
import { PreflightChecks, Preview } from './Preview.js';
import { canBlur, effects } from '../media/effects.js';
import { DEVICES, type Devices } from '../media/devices.js';
import { Dialog } from '@classroom/page/Dialog';
import { useStore } from '../store.js';
import { Switch } from '../ui/Switch.js';
import { Volume2 } from 'lucide-react';
import { useState } from 'react';
import { playNotes } from '../media/notes.js';

addTexts('setup', { en, de });

/** Sound and picture: what the participant sends and hears, tried out before or during the class. */
export function Setup() {
  const { t } = useTranslation('setup');
  const classroom = useClassroom();
  const own = usePart(OwnDevices);
  const session = useApp((app) => app.session);
  const opening = useApp((app) => (app.screen === 'opening' ? app.opening : undefined));
  const { isBlurred, isNoiseSuppressed } = useStore(effects, (state) => state);
  const who = opening ? { uid: '', name: opening.name, photoURL: null } : session?.participant;
  if (!who) return null;
  const close = () => {
    classroom.app.set({ dialog: undefined });
    // A camera does not stay on for a class that begins in an hour.
    if (opening) own.turnOff();
  };
  const devices = opening?.devices ?? DEVICES.filter((device) => own.mayUse(device));
  return (
    <Dialog title={t('title')} onClose={close}>
      <div className="setup">
        {devices.includes('camera') && <Preview {...who} devices={devices} onToggle={(device, isOn) => void own.set(device, isOn)} />}
        <DeviceSelects devices={devices} />
        {/* In class, a notice says why a device does not work. */}
        {opening && <PreflightChecks wanted={devices} />}
        <SpeakerTest devices={own} />
        {devices.includes('camera') && canBlur && (
          <Switch name="blur" label={t('blur')} hint={t('blurHint')} isOn={isBlurred} onChange={(isOn) => void own.setBlurred(isOn)} />
        )}
        {devices.includes('microphone') && (
          <Switch
            name="noise"
            label={t('noise')}
            hint={t('noiseHint')}
            isOn={isNoiseSuppressed}
            onChange={(isOn) => void own.setNoiseSuppressed(isOn)}
          />
        )}
      </div>
      <div className="dialog-actions">
        <button type="button" className="button primary" data-action="setup-done" onClick={close}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  );
}

/** A rising chord. */
const TEST_SOUND = [523, 659, 784];

/** The choice of the speaker, where the browser offers one, and a sound to try it. */
export function SpeakerTest({ devices }: { devices: Devices }) {
  const { t } = useTranslation('setup');
  const outputs = useDeviceList('audiooutput');
  const [speaker, setSpeaker] = useState(devices.chosenSpeakerId() ?? 'default');
  const [state, setState] = useState<'idle' | 'playing' | 'failed'>('idle');
  const choose = (deviceId: string) => {
    setSpeaker(deviceId);
    void devices.chooseSpeaker(deviceId);
  };
  const play = () => {
    setState('playing');
    playNotes(TEST_SOUND, speaker).then(
      () => setState('idle'),
      () => setState('failed'),
    );
  };
  return (
    <div className="setup-speaker">
      {canChooseSpeaker && outputs.length > 0 && (
        <DeviceChoice icon={Volume2} name={t('speaker')} value={speaker} devices={outputs} onChoose={choose} action="speaker" />
      )}
      <button type="button" className="button" data-action="test-sound" disabled={state === 'playing'} onClick={play}>
        <Volume2 aria-hidden />
        {t(state === 'playing' ? 'playing' : 'play')}
      </button>
      <p className="quiet" role="status">
        {state === 'failed' ? t('playFailed') : ''}
      </p>
    </div>
  );
}
