import { Check, X } from 'lucide-react';
import { useState } from 'react';
import type { WaitingParticipant } from '@classroom/contracts';
import { Confirm } from '@classroom/page/Dialog';
import { addTexts, useTranslation } from '../i18n/index.js';
import { Avatar } from '../ui/Avatar.js';
import { FailureLine, useAction } from '../ui/action.js';
import { usePanel, useClassField } from '../ui/panel-context.js';
import type { ClassroomApi } from '../session/session.js';
import { outranks } from '@classroom/page/outranks';
import './waiting.css';
import de from './waiting.de.json';
import en from './waiting.en.json';

addTexts('waiting', { en, de });

type Decision = Parameters<ClassroomApi['decideAdmissionInClass']>[0]['decision'];

/** Who waits to be admitted, for those who may admit them. */
export function WaitingList() {
  const { t } = useTranslation('waiting');
  const { store, api } = usePanel();
  const waiting = useClassField(store, 'waiting');
  const { runAction, isBusy, failure } = useAction(store);
  const [refusing, setRefusing] = useState<WaitingParticipant>();
  const decide = (uid: string, decision: Decision) =>
    void runAction(() => api.decideAdmissionInClass({ uid, decision })).then(() => store.refresh());
  return (
    <section className="waiting-list" aria-label={t('list')}>
      <div className="people-heading">
        <h3>{t('heading', { count: waiting.length })}</h3>
        {waiting.length > 1 && (
          <button
            type="button"
            className="text-button"
            disabled={isBusy}
            data-action="admit-all"
            onClick={() => void runAction(api.admitEveryoneInClass).then(() => store.refresh())}
          >
            {t('admitAll')}
          </button>
        )}
      </div>
      <ul>
        {waiting.map((person) => (
          <WaitingRow
            key={person.uid}
            person={person}
            isBusy={isBusy}
            onAdmit={() => decide(person.uid, 'ADMIT')}
            onRefuse={() => setRefusing(person)}
          />
        ))}
      </ul>
      <FailureLine code={failure?.code} />
      {refusing && (
        <Confirm
          title={t('refusing.title', { name: refusing.name })}
          text={t('refusing.text')}
          confirmLabel={t('refuse')}
          cancelLabel={t('refusing.no')}
          action="confirm-refuse"
          onConfirm={() => decide(refusing.uid, 'REFUSE')}
          onClose={() => setRefusing(undefined)}
        />
      )}
    </section>
  );
}

interface Props {
  person: WaitingParticipant;
  isBusy: boolean;
  onAdmit(): void;
  onRefuse(): void;
}

function WaitingRow({ person: { uid, name, role }, isBusy, onAdmit, onRefuse }: Props) {
  const { t } = useTranslation('waiting');
  const { self } = usePanel();
  return (
    <li className="person-row" data-waiting={uid}>
      <Avatar uid={uid} name={name} photoURL={null} />
      <div className="person-words">
        <span className="person-name">
          <bdi>{name}</bdi>
        </span>
      </div>
      {!outranks(role, self.role) && (
        <button
          type="button"
          className="icon-button"
          disabled={isBusy}
          title={t('refuse')}
          aria-label={t('refuseOf', { name })}
          data-action="refuse"
          onClick={onRefuse}
        >
          <X aria-hidden />
        </button>
      )}
      <button
        type="button"
        className="icon-button waiting-admit"
        disabled={isBusy}
        title={t('admit')}
        aria-label={t('admitOf', { name })}
        data-action="admit"
        onClick={onAdmit}
      >
        <Check aria-hidden />
      </button>
    </li>
  );
}
