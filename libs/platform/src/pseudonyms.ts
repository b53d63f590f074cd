import { randomBytes } from 'node:crypto';

/** No `uid` of a caller contains `#`. */
export const ALIAS_PREFIX = 'erased#';

/** Takes the place of an erased person's uid. Random, so that it cannot be computed from the uid. */
export const newAlias = () => `${ALIAS_PREFIX}${randomBytes(8).toString('hex')}`;

export const isAlias = (uid: string) => uid.startsWith(ALIAS_PREFIX);
