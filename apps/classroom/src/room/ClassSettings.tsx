import './class-settings.css';
import { addTexts, useTranslation } from '../i18n/index.js';
import de from './de.json';
import en from './en.json';
import { Dialog } from '@classroom/page/Dialog';
import { ROLE_PERMISSIONS } from '@classroom/page/role-permissions';
import { useEffect, useId, useRef, useState } from 'react';
import { useClassroom } from '../app/context.js';
import type { Input } from '../session/session.js';
import { Choice, Switch } from '../ui/Switch.js';
import { FailureLine, useAction } from '../ui/action.js';
import { useClassField } from '../ui/panel-context.js';

addTexts('door', { en, de });

type Settings = NonNullable<Input<'changeRoomInClass'>['settings']>;
type OfStudents = NonNullable<NonNullable<Settings['permissions']>['STUDENT']>;

const DOORS = ['OFF', 'STUDENTS', 'ALL'] as const satisfies readonly Settings['waitingRoom'][];
const OF_STUDENTS = ['publishAudio', 'publishVideo', 'raiseHand', 'react'] as const satisfies readonly (keyof OfStudents)[];

/** Who comes in, and what students may do, for those who manage others. Each choice applies at once. */
export function ClassSettings({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('door');
  const { classStore: store, api } = useClassroom();
  const room = useClassField(store, 'room');
  const { runAction, isBusy, failure } = useAction(store);
  const name = useId();
  /** What was chosen, until the class has it. */
  const [chosen, setChosen] = useState<Pick<Settings, 'waitingRoom'> & OfStudents>({});
  useEffect(() => setChosen({}), [room, failure]);
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const change = (choice: typeof chosen, settings: Settings) => {
    setChosen((earlier) => ({ ...earlier, ...choice }));
    before.current = before.current.then(() => runAction(() => api.changeRoomInClass({ settings })));
  };
  const changeOfStudents = (choice: OfStudents) => change(choice, { permissions: { STUDENT: choice } });
  const door = chosen.waitingRoom ?? room?.waitingRoom;
  const isAllowed = (permission: (typeof OF_STUDENTS)[number]) =>
    chosen[permission] ?? room?.permissions?.STUDENT?.[permission] ?? ROLE_PERMISSIONS.STUDENT[permission];
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <div className="door" aria-busy={isBusy}>
        {door !== undefined && (
          <fieldset>
            <legend>{t('door')}</legend>
            {DOORS.map((one) => (
              <Choice
                key={one}
                group={name}
                name={`door-${one}`}
                label={t(`doors.${one}`)}
                hint={t(`doorHints.${one}`)}
                isChosen={one === door}
                onChoose={() => change({ waitingRoom: one }, { waitingRoom: one })}
              />
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>{t('students')}</legend>
          {OF_STUDENTS.map((permission) => (
            <Switch
              key={permission}
              name={`students-${permission}`}
              label={t(`may.${permission}`)}
              hint={t(`hints.${permission}`)}
              isOn={isAllowed(permission)}
              onChange={(isOn) => changeOfStudents({ [permission]: isOn })}
            />
          ))}
        </fieldset>
        <FailureLine code={failure?.code} />
      </div>
      <div className="dialog-actions">
        <button type="button" className="button primary" data-action="class-settings-done" onClick={onClose}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  );
}
