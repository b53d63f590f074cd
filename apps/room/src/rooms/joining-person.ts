import type { Participant } from '@classroom/contracts';

/** JSON, null if there is nothing in it. */
export const textOf = (value: object | undefined) => (value && Object.keys(value).length > 0 ? JSON.stringify(value) : null);

/** What a join states about its participant, as parameters of a statement. */
export const joiningPerson = ({ uid, name, role, photoURL = null, permissions, ui, ai = true }: Participant) =>
  [uid, name, role, photoURL, permissions?.chat ?? true, ai, textOf(permissions), textOf(ui)] as const;

/**
 * SQL condition: the class has the participant, and a join would change nothing about them. `sid`: a column or parameter; `first`: number of the
 * first parameter of `joiningPerson`.
 */
export function isPersonStored(sid: string, first: number): string {
  const values = Array.from({ length: 7 }, (_, index) => `$${first + 1 + index}`).join(', ');
  return `EXISTS (SELECT FROM participants p WHERE p.sid = ${sid} AND p.uid = $${first}
                     AND (p.name, p.role, p.photo_url, p.may_chat, p.may_use_ai, p.permissions::text, p.ui::text) IS NOT DISTINCT FROM (${values}))`;
}
