import type { Body } from '../operation.js';
import type { RequestOptions, Transport } from '../transport.js';

/** Credits. */
export class Billing {
  constructor(private readonly api: Transport) {}

  /** What is left, or in a postpaid plan what this cycle came to. */
  balance = (options?: RequestOptions) => this.api.call('getBalance', {}, options);
}

/** People over all their classes. */
export class Participants {
  constructor(private readonly api: Transport) {}

  /** One person's sessions by room, a page of rooms at a time. */
  sessions = (whose: Omit<Body<'getParticipantSessions'>, 'export'>, options?: RequestOptions) =>
    this.api.call('getParticipantSessions', { body: whose }, options);

  /** All of them as a CSV file. */
  sessionsCsv = (whose: Omit<Body<'getParticipantSessions'>, 'export'>, options?: RequestOptions) =>
    this.api.csv('getParticipantSessions', { body: { ...whose, export: 'csv' } }, options);
}
