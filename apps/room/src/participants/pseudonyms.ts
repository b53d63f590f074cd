import { randomBytes } from 'node:crypto';

/** The pseudonym of a person in one class. */
export interface Pseudonym {
  sid: string;
  uid: string;
  alias: string;
}

/** Random, so that no one can compute it from the uid. No `uid` of a caller contains `#`. */
export const newAlias = () => `${ALIAS_PREFIX}${randomBytes(8).toString('hex')}`;

const ALIAS_PREFIX = 'erased#';

export const isAlias = (uid: string) => uid.startsWith(ALIAS_PREFIX);
