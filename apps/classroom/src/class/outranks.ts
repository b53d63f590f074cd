/** A release of the service to come may have further roles: they are above none of these. */
const RANKS: readonly string[] = ['STUDENT', 'MODERATOR', 'TEACHER', 'ADMIN'];

/** As the service: no one mutes, removes or refuses a person of a higher role. */
export const outranks = (role: string, other: string): boolean => RANKS.indexOf(role) > RANKS.indexOf(other);
