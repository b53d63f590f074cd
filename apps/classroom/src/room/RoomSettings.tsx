import { useState, type FormEvent, useId } from 'react';
import type { RoomDetails } from '@classroom/contracts';
import { useClass, useClassroom } from '../app/context.js';
import { Dialog } from '@classroom/page/Dialog';
import { useTranslation } from '../i18n/index.js';
import { FailureLine, useAction } from '../ui/action.js';
import { fieldOf, LIMITS, validateForm, toChange, toForm, type Field, type RoomForm } from './room-change.js';

/** Settings of the running class, for participants who may change them (ADMIN). */
export function RoomSettings({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('panels');
  const room = useClass((state) => state.room);
  return (
    <Dialog title={t('room.settings')} onClose={onClose}>
      {room ? <Form room={room} onClose={onClose} /> : <p className="quiet">{t('room.loading')}</p>}
    </Dialog>
  );
}

function Form({ room: latest, onClose }: { room: RoomDetails; onClose(): void }) {
  const { t } = useTranslation('panels');
  const { classStore: store, api } = useClassroom();
  // The form keeps the values from when it was opened, even if another person changes the room in the meantime.
  const [room] = useState(latest);
  const [form, setForm] = useState(() => toForm(room));
  const [isSubmitted, setSubmitted] = useState(false);
  const { runAction, isBusy, failure } = useAction(store);
  const problems = validateForm(form);
  const rejected = new Map(failure?.details.map(({ path, message }) => [fieldOf(path), message]));
  const hasFieldError = [...rejected.keys()].some((field) => field in form);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (Object.keys(problems).length > 0) return;
    const change = toChange(form, room);
    if (!change || (await runAction(() => api.changeRoomInClass(change)))) onClose();
  };
  const problemOf = (field: Field) => {
    const problem = problems[field];
    if (isSubmitted && problem) return t(`room.problem.${problem}`, { most: LIMITS[field] });
    return rejected.get(field);
  };
  const fieldProps = (field: Field) => ({
    name: field,
    label: t(`room.${field}`),
    value: form[field],
    problem: problemOf(field),
    onChange: (value: string) => setForm((form: RoomForm) => ({ ...form, [field]: value })),
  });
  const isRaised = Number(form.maxParticipants) > room.maxParticipants && !problems.maxParticipants;
  return (
    <form className="room-settings" noValidate onSubmit={(event) => void save(event)}>
      <RoomField {...fieldProps('title')} />
      <RoomField {...fieldProps('roomDescription')} rows={4} />
      <RoomField {...fieldProps('maxParticipants')} isNumber hint={isRaised ? t('room.reconnects') : undefined} />
      <RoomField {...fieldProps('emptyTimeout')} isNumber hint={t('room.emptyTimeoutHint')} />
      <FailureLine code={failure && !hasFieldError ? failure.code : undefined} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {t('cancel')}
        </button>
        <button type="submit" className="button primary" disabled={isBusy} data-action="save-room">
          {t('room.save')}
        </button>
      </div>
    </form>
  );
}

interface RoomFieldProps {
  name: string;
  label: string;
  value: string;
  onChange(value: string): void;
  problem: string | undefined;
  hint?: string | undefined;
  isNumber?: boolean;
  /** Number of lines; the field is a text area if set. */
  rows?: number;
}

export function RoomField({ name, label, value, onChange, problem, hint, isNumber = false, rows }: RoomFieldProps) {
  const id = useId();
  const shared = {
    id,
    name,
    value,
    'aria-invalid': problem !== undefined,
    'aria-describedby': [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows ? <textarea rows={rows} dir="auto" {...shared} /> : <input dir="auto" inputMode={isNumber ? 'numeric' : 'text'} {...shared} />}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p className="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
