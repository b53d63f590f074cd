import { memo, useMemo, useState } from 'react';
import { EllipsisVertical, Mic, MicOff, ScreenShare, Search, Video, X } from 'lucide-react';
import { Confirm } from '@classroom/page/Dialog';
import type { Hand } from '@classroom/contracts';
import { Menu } from '../ui/Menu.js';
import { useTranslation } from '../i18n/index.js';
import type { Person } from '../media/people.js';
import { Avatar } from '../ui/Avatar.js';
import { usePanel, useClassField, useRerenderEvery } from '../ui/panel-context.js';
import { FailureLine, useAction, type Action } from '../ui/action.js';
import { actionsFor, callsFor } from './participant-actions.js';
import { ParticipantItems } from './ParticipantItems.js';
import { usePeople } from '../app/context.js';
import { LoadedPanel } from '../ui/LoadedPanel.js';
import { toRows, type Row, formatWaitingTime } from './people-rows.js';
import { WindowedList } from './WindowedList.js';

interface Props {
  person: Person;
  runAction: Action['runAction'];
  onRemove(person: Person): void;
}

export const PersonRow = memo(({ person, runAction, onRemove }: Props) => {
  const { t } = useTranslation('panels');
  const { api, store, permissions, self } = usePanel();
  const speaker = useClassField(store, 'speakers').find(({ uid }) => uid === person.uid);
  const { uid, name, role } = person;
  const actions = actionsFor(person, { permissions, ownRole: self.role, maySpeak: speaker !== undefined });
  const calls = callsFor(api, uid);
  const note = speaker ? t('people.maySpeak') : role === 'STUDENT' ? undefined : t(`people.role.${role}`);
  return (
    <div className="person-row" data-person={uid}>
      <Avatar uid={uid} name={name} photoURL={person.photoURL} />
      <div className="person-words">
        <span className="person-name">
          <bdi>{name}</bdi>
          {person.isLocal && <span className="person-you">{t('people.you')}</span>}
        </span>
        {note && <span className="person-note">{note}</span>}
      </div>
      <StatusIcons person={person} />
      {permissions.manageParticipants && actions.length === 0 && <span className="person-no-menu" />}
      {actions.length > 0 && (
        <Menu
          label={t('people.menu', { name })}
          action="person-menu"
          items={
            <ParticipantItems
              person={person}
              actions={actions}
              prefix="person-"
              onChoose={(action) => (action === 'remove' ? onRemove(person) : void runAction(calls[action]))}
            />
          }
        >
          <EllipsisVertical aria-hidden />
        </Menu>
      )}
    </div>
  );
});

function StatusIcons({ person: { microphone, camera, screen, isSpeaking } }: { person: Person }) {
  const { t } = useTranslation('panels');
  return (
    <span className="person-marks">
      {screen && <ScreenShare role="img" aria-label={t('people.sharing')} />}
      {camera && <Video role="img" aria-label={t('people.cameraOn')} />}
      {microphone === 'on' && <Mic className={isSpeaking ? 'is-speaking' : undefined} role="img" aria-label={t('people.microphoneOn')} />}
      {microphone === 'muted' && <MicOff role="img" aria-label={t('people.muted')} />}
    </span>
  );
}

/** From this number of people on, the panel offers a search field. */
const MIN_PEOPLE_FOR_SEARCH = 13;
const HEIGHTS: Record<Row['kind'], number> = { heading: 2.5, hand: 3.5, person: 3.5 };
const heightOf = ({ kind }: Row) => HEIGHTS[kind];

/** Who comes back has another. */
const connectionOf = ({ uid, joinedAt }: Person) => `${uid} ${joinedAt}`;

const loadWaitingList = () => import('../entering/WaitingList.js').then(({ WaitingList }) => WaitingList);

export function PeoplePanel() {
  const { t } = useTranslation('panels');
  const { store, api, permissions } = usePanel();
  const people = usePeople((state) => state.people);
  const hands = useClassField(store, 'hands');
  const hasWaiting = useClassField(store, 'waiting').length > 0;
  const [query, setQuery] = useState('');
  const [removing, setRemoving] = useState<Person>();
  const [muted, setMuted] = useState<number>();
  /** The connections that were removed: LiveKit closes them a moment later. */
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const { runAction, isBusy, failure } = useAction(store);
  const hasSearch = people.length >= MIN_PEOPLE_FOR_SEARCH;
  const rows = useMemo(() => {
    const present = people.filter((person) => !removed.has(connectionOf(person)));
    return toRows(present, hands, hasSearch ? query : '');
  }, [people, removed, hands, query, hasSearch]);
  const remove = async (person: Person) => {
    if (await runAction(() => api.removeParticipantInClass({ uid: person.uid })))
      setRemoved((before) => new Set([...before, connectionOf(person)]));
  };
  return (
    <div className="people-panel">
      {hasSearch && (
        <label className="people-search">
          <Search aria-hidden />
          <input
            type="search"
            value={query}
            placeholder={t('people.search')}
            aria-label={t('people.search')}
            onChange={(event) => setQuery(event.target.value)}
          />
        </label>
      )}
      {hasWaiting && <LoadedPanel load={loadWaitingList} />}
      <WindowedList label={t('people.list')} rows={rows} heightOf={heightOf}>
        {(row) =>
          row.kind === 'heading' ? (
            <div className="people-heading">
              <h3>{t(`people.section.${row.section}`, { count: row.count })}</h3>
              {row.section === 'hands' && permissions.manageParticipants && (
                <button
                  type="button"
                  className="text-button"
                  disabled={isBusy}
                  data-action="lower-all-hands"
                  onClick={() => void runAction(api.lowerAllHands)}
                >
                  {t('hands.lowerAll')}
                </button>
              )}
            </div>
          ) : row.kind === 'hand' ? (
            <HandRow hand={row.hand} person={row.person} runAction={runAction} />
          ) : (
            <PersonRow person={row.person} runAction={runAction} onRemove={setRemoving} />
          )
        }
      </WindowedList>
      {rows.length === 0 && <p className="panel-empty">{t('people.noMatch')}</p>}
      <FailureLine code={failure?.code} />
      {permissions.manageParticipants && (
        <footer className="panel-foot">
          <button
            type="button"
            className="button"
            disabled={isBusy}
            data-action="mute-all"
            onClick={() => void runAction(async () => setMuted((await api.muteEveryone()).muted.length))}
          >
            <MicOff aria-hidden />
            {t('people.muteEveryone')}
          </button>
          <p className="panel-done" role="status">
            {muted !== undefined && t('people.mutedEveryone', { count: muted })}
          </p>
        </footer>
      )}
      {removing && (
        <Confirm
          title={t('people.removing.title', { name: removing.name })}
          text={t('people.removing.text')}
          confirmLabel={t('people.removing.yes')}
          cancelLabel={t('cancel')}
          action="confirm-remove"
          onConfirm={() => void remove(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </div>
  );
}

const TICK_MS = 5_000;

export function HandRow({ hand, person, runAction }: { hand: Hand; person: Person | undefined; runAction: Action['runAction'] }) {
  const { t, i18n } = useTranslation('panels');
  const { api, store, permissions, self, now } = usePanel();
  useRerenderEvery(TICK_MS);
  const { uid, name } = hand;
  const isOwn = uid === self.uid;
  const mayLower = permissions.manageParticipants || isOwn;
  const mayBeAllowed = permissions.manageParticipants && person?.role === 'STUDENT' && !person.mayPublish;
  const time = formatWaitingTime(now() - Date.parse(hand.raisedAt), i18n.language);
  return (
    <div className="person-row" data-hand={uid}>
      <Avatar uid={uid} name={name} photoURL={person?.photoURL ?? null} />
      <div className="person-words">
        <span className="person-name">
          <bdi>{name}</bdi>
          {isOwn && <span className="person-you">{t('people.you')}</span>}
        </span>
        <span className="person-note">{time ? t('hands.waiting', { time }) : t('hands.justNow')}</span>
      </div>
      {mayBeAllowed && (
        <button
          type="button"
          className="button hand-allow"
          aria-label={t('hands.allow', { name })}
          data-action="allow-to-speak"
          onClick={() => void runAction(() => api.allowToSpeak({ uid, allowed: true }))}
        >
          {t('people.action.allowToSpeak')}
        </button>
      )}
      {mayLower && (
        <button
          type="button"
          className="icon-button"
          title={t('hands.lower')}
          aria-label={t('hands.lowerOf', { name })}
          data-action="lower-hand"
          onClick={() => void runAction(() => (isOwn ? store.raiseHand(false, self) : api.lowerHand({ uid })))}
        >
          <X aria-hidden />
        </button>
      )}
    </div>
  );
}
