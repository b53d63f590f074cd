/** What a request that is well-formed may be answered where something else than its form is in the way. */
export const STATES = ['2xx', '401', '402', '403', '404', '409', '410', '422', '429', '503'];

/** By operation, the checks that would mean nothing there, and why. */
export const EXCEPTIONS: Readonly<Record<string, { checks: readonly string[]; why: string }>> = {};
