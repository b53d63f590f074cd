import type { Participant } from '@classroom/contracts';

/** JSON, null if there is nothing in it. */
const textOf = (value: object | undefined) => (value && Object.keys(value).length > 0 ? JSON.stringify(value) : null);

/** What a join states about its participant, as parameters of a statement. */
export const joiningPerson = ({ uid, name, role, photoURL: photoUrl = null, permissions, ui, ai = true }: Participant) => ({
  uid,
  name,
  role,
  photoUrl,
  mayChat: permissions?.chat ?? true,
  ai,
  permissions: textOf(permissions),
  ui: textOf(ui),
});

/** SQL condition: the class `sid`, a column or parameter, has the participant, and a join would change nothing about them. */
export const isPersonStored = (sid: string) =>
  `EXISTS (SELECT FROM participants p WHERE p.sid = ${sid} AND p.uid = :uid
                     AND (p.name, p.role, p.photo_url, p.may_chat, p.may_use_ai, p.permissions::text, p.ui::text)
                         IS NOT DISTINCT FROM (:name, :role, :photoUrl, :mayChat, :ai, :permissions, :ui))`;
