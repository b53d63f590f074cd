import { defineEvent } from '../kernel/events.js';
import { organization } from './organization.operations.js';

/** The whole organization after a change; also published when it is created. */
export const organizationUpdated = defineEvent({
  service: 'organization',
  noun: 'organization',
  happened: 'updated',
  watchers: ['gateway'],
  data: organization,
});
