/** The share of the votes, 0 to 1. */
export const voteShare = (votes: number, total: number) => (total === 0 ? 0 : votes / total);
