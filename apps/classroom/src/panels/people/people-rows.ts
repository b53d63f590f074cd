import type { Hand, Role } from '@classroom/contracts';
import { fold } from '@classroom/page/fold';
import type { Person } from '../../media/person.js';

export type Row =
  | { kind: 'heading'; key: string; section: 'hands' | 'speakers' | 'students'; count: number }
  | { kind: 'hand'; key: string; hand: Hand; person: Person | undefined }
  | { kind: 'person'; key: string; person: Person };

const RANK: Record<Role, number> = { TEACHER: 0, ADMIN: 1, MODERATOR: 2, STUDENT: 3 };
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The rows of the list: raised hands in the order of raising, then people who may speak, then the other students. */
export function toRows(people: readonly Person[], hands: readonly Hand[], query: string): Row[] {
  const byUid = new Map(people.map((person) => [person.uid, person]));
  const searchTerm = fold(query.trim());
  const matches = ({ name }: { name: string }) => searchTerm === '' || fold(name).includes(searchTerm);
  const found = people.filter(matches).sort(byRankAndName);
  const isSpeaker = ({ mayPublish, role }: Person) => mayPublish || role !== 'STUDENT';
  const rowOf = (person: Person): Row => ({ kind: 'person', key: person.uid, person });
  return [
    ...section(
      'hands',
      hands.filter(matches).map((hand) => ({ kind: 'hand', key: `hand ${hand.uid}`, hand, person: byUid.get(hand.uid) })),
    ),
    ...section('speakers', found.filter(isSpeaker).map(rowOf)),
    ...section('students', found.filter((person) => !isSpeaker(person)).map(rowOf)),
  ];
}

function section(name: 'hands' | 'speakers' | 'students', rows: Row[]): Row[] {
  return rows.length > 0 ? [{ kind: 'heading', key: `heading ${name}`, section: name, count: rows.length }, ...rows] : [];
}

const byRankAndName = (a: Person, b: Person) =>
  RANK[a.role] - RANK[b.role] || Number(b.isLocal) - Number(a.isLocal) || collator.compare(a.name, b.name) || (a.uid < b.uid ? -1 : 1);
