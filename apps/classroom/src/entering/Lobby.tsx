import { useEffect, useMemo, useRef, useState } from 'react';
import { useApp, useClassroom, usePart } from '../app/context.js';
import { useTranslation } from '../i18n/index.js';
import { OwnDevices } from '../devices/own-devices.js';
import { DEVICES, grantedDevices, type Device } from '../media/devices.js';
import { PreflightChecks, Preview } from '../devices/Preview.js';
import { DeviceSelects } from '../devices/DeviceMenu.js';
import './lobby.css';
import { Users } from 'lucide-react';
import type { ClassroomSession } from '../session/session.js';

/** The page before the class: preview, class title and Join button. A participant who may not publish is not asked for devices. */
export function Lobby() {
  const { t } = useTranslation();
  const classroom = useClassroom();
  const devices = usePart(OwnDevices);
  const session = useApp((app) => app.session);
  const heading = useRef<HTMLHeadingElement>(null);
  /** The devices that the user wants, even if the browser does not provide them. */
  const [wanted, setWanted] = useState<readonly Device[]>(session?.startsMuted ? ['camera'] : DEVICES);
  const atEntry = useRef(wanted);
  const { publishAudio, publishVideo } = session?.permissions ?? {};
  const allowed = useMemo(() => grantedDevices({ publishAudio, publishVideo }), [publishAudio, publishVideo]);
  const mayPublish = allowed.length > 0;
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    const started = allowed.filter((device) => atEntry.current.includes(device));
    if (started.length > 0) void devices.start(started);
  }, [devices, allowed]);
  if (!session) return null;

  const { room, participant, branding } = session;
  const chosen = allowed.filter((device) => wanted.includes(device));
  const toggle = (device: Device, isOn: boolean) => {
    setWanted((before) => DEVICES.filter((one) => (one === device ? isOn : before.includes(one))));
    void devices.set(device, isOn);
  };
  return (
    <main className="lobby" data-publishes={mayPublish}>
      <div className="lobby-inside">
        {/* Before the preview, wherever it is shown: the keyboard goes from the title to the devices, and then to Join. */}
        <div className="lobby-head">
          {branding.logoUrl && <img className="lobby-logo" src={branding.logoUrl} alt={t('header.logo')} />}
          <h1 id="lobby-title" ref={heading} tabIndex={-1}>
            {room.title}
          </h1>
          {room.roomDescription && <p className="lobby-description">{room.roomDescription}</p>}
        </div>
        {mayPublish && (
          <Preview name={participant.name} uid={participant.uid} photoURL={participant.photoURL} devices={allowed} onToggle={toggle} />
        )}
        <section className="lobby-side" aria-labelledby="lobby-title">
          <ParticipantsPresent {...session.present} />
          <p className="quiet">
            {t('lobby.as', { name: participant.name })}
            {!mayPublish && ` ${t(session.permissions.raiseHand ? 'lobby.listens' : 'lobby.listensOnly')}`}
          </p>
          <DeviceSelects devices={allowed} />
          <PreflightChecks wanted={chosen} />
          <button
            type="button"
            className="text-button lobby-setup"
            data-action="setup"
            onClick={() => classroom.app.set({ dialog: 'setup' })}
          >
            {t(mayPublish ? 'controls.setup' : 'controls.setupSound')}
          </button>
          <button type="button" className="button primary lobby-join" data-action="join" onClick={() => void classroom.join(chosen)}>
            {t('lobby.join')}
          </button>
        </section>
      </div>
    </main>
  );
}

/** Lists who is in class already. Participants without a known name are counted. */
export function ParticipantsPresent({ count, names }: ClassroomSession['present']) {
  const { t, i18n } = useTranslation();
  if (count === 0) return <p className="lobby-present quiet">{t('lobby.empty')}</p>;
  const others = count - names.length;
  const parts = others > 0 ? [...names, t('lobby.others', { count: others })] : names;
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(parts);
  return (
    <p className="lobby-present quiet">
      <Users aria-hidden size={16} /> {t('lobby.present', { list })}
    </p>
  );
}
