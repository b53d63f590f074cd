import { useApp, useClassroom } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import { DeviceSelects } from '../lobby/DeviceSelects.js';
import { PreflightChecks } from '../lobby/PreflightChecks.js';
import { Preview } from '../lobby/Preview.js';
import { canBlur, effects } from '../media/effects.js';
import { DEVICES } from '../media/devices.js';
import { Dialog } from '@classroom/page/Dialog';
import { useStore } from '../store/store.js';
import { SpeakerTest } from './SpeakerTest.js';
import { Switch } from '../ui/Switch.js';

/** Sound and picture: what the participant sends and hears, tried out before or during the class. */
export function Setup() {
  const { t } = useTranslation('setup');
  const classroom = useClassroom();
  const session = useApp((app) => app.session);
  const opening = useApp((app) => (app.screen === 'opening' ? app.opening : undefined));
  const { isBlurred, isNoiseSuppressed } = useStore(effects, (state) => state);
  const who = opening ? { uid: '', name: opening.name, photoURL: null } : session?.participant;
  if (!who) return null;
  const close = () => {
    classroom.app.set({ dialog: undefined });
    // A camera does not stay on for a class that begins in an hour.
    if (opening) classroom.devices.turnOff();
  };
  const devices = opening?.devices ?? DEVICES.filter((device) => classroom.mayUse(device));
  return (
    <Dialog title={t('title')} onClose={close}>
      <div className="setup">
        {devices.includes('camera') && (
          <Preview {...who} devices={devices} onToggle={(device, isOn) => void classroom.devices.set(device, isOn)} />
        )}
        <DeviceSelects devices={devices} />
        {/* In class, a notice says why a device does not work. */}
        {opening && <PreflightChecks wanted={devices} />}
        <SpeakerTest devices={classroom.devices} />
        {devices.includes('camera') && canBlur && (
          <Switch
            name="blur"
            label={t('blur')}
            hint={t('blurHint')}
            isOn={isBlurred}
            onChange={(isOn) => void classroom.devices.setBlurred(isOn)}
          />
        )}
        {devices.includes('microphone') && (
          <Switch
            name="noise"
            label={t('noise')}
            hint={t('noiseHint')}
            isOn={isNoiseSuppressed}
            onChange={(isOn) => void classroom.devices.setNoiseSuppressed(isOn)}
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
