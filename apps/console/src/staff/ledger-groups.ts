interface Entry {
  entryId: string;
  kind: string;
  credits: number;
  amount: number;
  sid: string | null;
}

/** Entries that are one line: all charges of a class, or one other entry. The newest gives the line its place and its time. */
export interface Group<T extends Entry> {
  newest: T;
  count: number;
  credits: number;
  amount: number;
}

/** One line for the charges of each class. A class is charged about once a minute. */
export function groupByClass<T extends Entry>(entries: readonly T[]): Group<T>[] {
  const groups = new Map<string, Group<T>>();
  for (const entry of entries) {
    const key = entry.sid ?? entry.entryId;
    const group = groups.get(key) ?? { newest: entry, count: 0, credits: 0, amount: 0 };
    groups.set(key, { ...group, count: group.count + 1, credits: group.credits + entry.credits, amount: group.amount + entry.amount });
  }
  return [...groups.values()];
}
