/** Those that were not put aside. If the same person waits again later, they have another key. */
export const unseen = <T>(all: readonly T[], keyOf: (one: T) => string, aside: ReadonlySet<string>): T[] =>
  all.filter((one) => !aside.has(keyOf(one)));

interface Present {
  uid: string;
  name: string;
  isLocal: boolean;
}

/** Who is there now and was not before. The first list is of those who were there first. */
export const arrivedSince = (known: ReadonlySet<string> | undefined, people: readonly Present[]): Present[] =>
  known ? people.filter(({ uid, isLocal }) => !isLocal && !known.has(uid)) : [];
