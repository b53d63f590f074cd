import type { Hand, Role } from '@classroom/contracts';
import { fold } from '@classroom/page/fold';
import type { Person } from '../media/people.js';

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

/** The top position of each row, followed by the total height. */
export function rowOffsets(heights: readonly number[]): number[] {
  let top = 0;
  return [0, ...heights.map((height) => (top += height))];
}

/** The first and the last (exclusive) row that overlap the range `from` to `to`. */
export function visibleRange(offsets: readonly number[], from: number, to: number): [first: number, end: number] {
  const last = Math.max(0, offsets.length - 2);
  const first = rowAt(offsets, from, last);
  return [first, offsets.length < 2 ? 0 : rowAt(offsets, to, last) + 1];
}

function rowAt(offsets: readonly number[], y: number, last: number): number {
  let [low, high] = [0, last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((offsets[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The waiting time in whole minutes; below one minute, in steps of ten seconds. Undefined below ten seconds. */
export function formatWaitingTime(ms: number, language: string): string | undefined {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 10) return undefined;
  const [value, unit] = seconds < 60 ? [Math.floor(seconds / 10) * 10, 'second'] : [Math.floor(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
}
