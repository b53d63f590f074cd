import { addTexts, useTranslation } from '../i18n/index.js';
import de from './attention.de.json';
import en from './attention.en.json';
import { Bell, Hand, Hourglass, UserPlus, X } from 'lucide-react';
import { useState, type ReactNode, useEffect, useRef } from 'react';
import { useApp, useClass, useClassroom, usePart, usePeople } from '../app/context.js';
import { OwnDevices } from '../devices/own-devices.js';
import { notificationSetting } from './alerts.js';
import { useStore, createStoredStore } from '../store.js';
import { unseen, useArrivals } from './arrivals.js';
import { playNotes } from '../media/notes.js';

addTexts('attention', { en, de });

/** What waits for someone who manages others, over the stage: it stays until it is done, put aside, or seen in the list of people. */
export function Attention() {
  const isListOpen = useApp(({ tab }) => tab === 'people');
  useHandSound();
  return (
    <>
      {!isListOpen && <Hands />}
      {!isListOpen && <Waiting />}
      <Arrivals />
      <NotifyWhilePresenting />
    </>
  );
}

function Hands() {
  const { t } = useTranslation('attention');
  const { attempt, api, app } = useClassroom();
  const self = useApp(({ session }) => session?.participant.uid);
  const hands = useClass((state) => state.hands);
  const [aside, setAside] = useState<ReadonlySet<string>>(new Set());
  const keyOf = ({ uid, raisedAt }: (typeof hands)[number]) => `${uid} ${raisedAt}`;
  const shown = unseen(
    hands.filter(({ uid }) => uid !== self),
    keyOf,
    aside,
  );
  const [first] = shown;
  const mayBeAllowed = usePeople(({ people }) =>
    people.some(({ uid, role, mayPublish }) => uid === first?.uid && role === 'STUDENT' && !mayPublish),
  );
  if (!first) return null;
  const { uid, name } = first;
  const others = shown.length - 1;
  return (
    <Notice
      icon={<Hand aria-hidden />}
      text={others > 0 ? t('hands', { name, count: others }) : t('hand', { name })}
      onClose={() => setAside(new Set([...aside, ...shown.map(keyOf)]))}
    >
      {others > 0 && <Show onPress={() => app.set({ tab: 'people' })} />}
      {mayBeAllowed && (
        <button
          type="button"
          className="button primary"
          aria-label={t('letSpeakOf', { name })}
          data-action="notice-speak"
          onClick={() => void attempt(() => api.allowToSpeak({ uid, allowed: true }), 'toast.actionFailed')}
        >
          {t('letSpeak')}
        </button>
      )}
    </Notice>
  );
}

function Waiting() {
  const { t } = useTranslation('attention');
  const { attempt, api, app, classStore } = useClassroom();
  const waiting = useClass((state) => state.waiting);
  const [aside, setAside] = useState<ReadonlySet<string>>(new Set());
  const keyOf = ({ uid, waitingSince }: (typeof waiting)[number]) => `${uid} ${waitingSince}`;
  const [first] = unseen(waiting, keyOf, aside);
  if (!first) return null;
  const { uid, name } = first;
  const areMany = waiting.length > 1;
  const admit = () => (areMany ? api.admitEveryoneInClass() : api.decideAdmissionInClass({ uid, decision: 'ADMIT' }));
  return (
    <Notice
      icon={<Hourglass aria-hidden />}
      text={areMany ? t('manyWaiting', { count: waiting.length }) : t('waiting', { name })}
      onClose={() => setAside(new Set([...aside, ...waiting.map(keyOf)]))}
    >
      {areMany && <Show onPress={() => app.set({ tab: 'people' })} />}
      <button
        type="button"
        className="button primary"
        data-action="notice-admit"
        onClick={() => void attempt(admit, 'toast.actionFailed').then(() => classStore.refresh())}
      >
        {t(areMany ? 'admitAll' : 'admit')}
      </button>
    </Notice>
  );
}

/** Who has just come, for a moment. */
function Arrivals() {
  const { t } = useTranslation();
  const names = useArrivals();
  if (names.length === 0) return null;
  const kind = names.length > 3 ? 'many' : 'names';
  return (
    <p className="notice" data-arrivals>
      <UserPlus aria-hidden />
      {t(`announcement.${kind}.joined`, { count: names.length, names: names.join(', ') })}
    </p>
  );
}

const asked = createStoredStore('classroom.notifications.asked', { isAsked: false });

/** Asks once, with the first share: in another window, neither a hand nor a message is seen. */
function NotifyWhilePresenting() {
  const { t } = useTranslation('attention');
  const { app } = useClassroom();
  const isSharing = useApp((state) => state.isSharing);
  const isOn = useStore(notificationSetting, (state) => state.isOn);
  const isAsked = useStore(asked, (state) => state.isAsked);
  if (!isSharing || isOn || isAsked) return null;
  const close = () => asked.set({ isAsked: true });
  return (
    <Notice icon={<Bell aria-hidden />} text={t('notify')} onClose={close}>
      <button
        type="button"
        className="button"
        data-action="notice-notify"
        onClick={() => {
          close();
          app.set({ dialog: 'notifications' });
        }}
      >
        {t('turnOn')}
      </button>
    </Notice>
  );
}

function Show({ onPress }: { onPress(): void }) {
  const { t } = useTranslation('attention');
  return (
    <button type="button" className="button" data-action="notice-show" onClick={onPress}>
      {t('show')}
    </button>
  );
}

interface NoticeProps {
  icon: ReactNode;
  text: string;
  onClose(): void;
  children: ReactNode;
}

/** It is announced with what others do, so it is no live region itself. */
function Notice({ icon, text, onClose, children }: NoticeProps) {
  const { t } = useTranslation('attention');
  return (
    <section className="notice notice-action" aria-label={text}>
      {icon}
      <span className="notice-words">{text}</span>
      {children}
      <button type="button" className="icon-button" aria-label={t('close')} title={t('close')} data-action="notice-close" onClick={onClose}>
        <X aria-hidden />
      </button>
    </section>
  );
}

/** A third, lower than the fifth of a notification, in Hz. */
const SOUND = [523, 659];

/** Lets who wants it hear each hand that is raised from now on. */
export function useHandSound(): void {
  const devices = usePart(OwnDevices);
  const self = useApp(({ session }) => session?.participant.uid);
  const hands = useClass((state) => state.hands);
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = new Set(hands.map(({ uid }) => uid));
    const isNew = before && hands.some(({ uid }) => uid !== self && !before.has(uid));
    // A browser that refuses the sound shows the notice.
    if (isNew && notificationSetting.get().hasHandSound) void playNotes(SOUND, devices.chosenSpeakerId()).catch(() => undefined);
  }, [hands, self, devices]);
}
