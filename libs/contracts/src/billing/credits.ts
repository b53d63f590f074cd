export const SECONDS_PER_CREDIT = 60;

/** Credits for a total of seconds. Seconds are summed before rounding and rounded up once, so that the rows add up to the total. */
export const creditsOf = (seconds: number) => Math.ceil(seconds / SECONDS_PER_CREDIT);
