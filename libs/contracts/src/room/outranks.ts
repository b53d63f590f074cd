/** From the lowest to the highest: the lower one cannot mute, remove or refuse the higher one. A release to come may have more: they are above none of these. */
const RANKS: readonly string[] = ['STUDENT', 'MODERATOR', 'TEACHER', 'ADMIN'];

/** Whether a role is higher than another. Who manages participants mutes, removes and refuses no one of a higher role than their own. */
export const outranks = (role: string, other: string): boolean => RANKS.indexOf(role) > RANKS.indexOf(other);
