import type { RoomDetails } from '@classroom/contracts';
import type { Input } from '../session/session.js';

type RoomChange = Input<'changeRoomInClass'>;

/** The field values as typed. */
export type RoomForm = Record<'title' | 'roomDescription' | 'maxParticipants' | 'emptyTimeout', string>;
export type Field = keyof RoomForm;

export const LIMITS = { title: 256, roomDescription: 4000, maxParticipants: 5000, emptyTimeout: 1800 } satisfies Record<Field, number>;

export const toForm = ({ title, roomDescription, maxParticipants, emptyTimeout }: RoomDetails): RoomForm => ({
  title,
  roomDescription: roomDescription ?? '',
  maxParticipants: String(maxParticipants),
  emptyTimeout: String(emptyTimeout),
});

/** The i18n key of the problem in each invalid field. */
export function validateForm(form: RoomForm): Partial<Record<Field, string>> {
  const problems: Partial<Record<Field, string>> = {};
  if (form.title.trim() === '') problems.title = 'missing';
  for (const field of ['title', 'roomDescription'] as const) if ([...form[field]].length > LIMITS[field]) problems[field] = 'tooLong';
  for (const field of ['maxParticipants', 'emptyTimeout'] as const) {
    const value = Number(form[field]);
    if (!Number.isInteger(value) || value < 1 || value > LIMITS[field]) problems[field] = 'outOfRange';
  }
  return problems;
}

/** The changed fields only; undefined if nothing changed. */
export function toChange(form: RoomForm, room: RoomDetails): RoomChange | undefined {
  const before = toForm(room);
  const differs = (field: Field) => form[field].trim() !== before[field];
  const settings = {
    ...(differs('maxParticipants') && { maxParticipants: Number(form.maxParticipants) }),
    ...(differs('emptyTimeout') && { emptyTimeout: Number(form.emptyTimeout) }),
  };
  const change: RoomChange = {
    ...(differs('title') && { title: form.title.trim() }),
    ...(differs('roomDescription') && { roomDescription: form.roomDescription.trim() || null }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
  return Object.keys(change).length > 0 ? change : undefined;
}

/** The form field for a path in the server's error details, such as `settings.maxParticipants`. */
export const fieldOf = (path: string) => path.split('.').at(-1) ?? '';
