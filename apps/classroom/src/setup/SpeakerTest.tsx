import { Volume2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../i18n/index.js';
import { canChooseSpeaker, useDeviceList } from '../media/device-list.js';
import type { Devices } from '../media/devices.js';
import { playNotes } from '../media/notes.js';
import { DeviceChoice } from '../ui/DeviceChoice.js';

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
