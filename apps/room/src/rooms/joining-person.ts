import type { Participant } from '@classroom/contracts';

/** JSON, null if there is nothing in it. */
const textOf = (value: object | undefined) => (value && Object.keys(value).length > 0 ? JSON.stringify(value) : null);

/** What a join states about its participant, as parameters of a statement. */
export const joiningPerson = ({ uid, name, role, photoURL: photoUrl = null, permissions, ui, ai = true }: Participant) => ({
  uid,
  name,
  role,
  photoUrl,
  ai,
  permissions: textOf(permissions),
  ui: textOf(ui),
});

export type JoiningPerson = ReturnType<typeof joiningPerson>;

/** SQL expression: the participant `uid` of the class `sid`, as `joiningPerson` states one; null if there is none. */
export const storedPerson = (sid: string, uid: string) =>
  `(SELECT json_build_object('uid', p.uid, 'name', p.name, 'role', p.role, 'photoUrl', p.photo_url, 'ai', p.may_use_ai,
                             'permissions', p.permissions::text, 'ui', p.ui::text) FROM participants p WHERE p.sid = ${sid} AND p.uid = ${uid})`;
