export const SECONDS_PER_CREDIT = 60;

/** Credits of a whole: seconds are summed first and rounded up once, so rows always add up. */
export const creditsOf = (seconds: number) => Math.ceil(seconds / SECONDS_PER_CREDIT);
