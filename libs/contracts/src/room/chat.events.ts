import { z } from 'zod';
import { timestamp } from '../kernel/values.js';
import { defineEvent } from '../kernel/events.js';

/** `uid` is the author of the message. No fact contains a message's text: it would outlive the deletion. */
const message = z.object({
  organizationId: z.string(),
  sid: z.string(),
  roomId: z.string(),
  messageId: z.string(),
  uid: z.string(),
});

export const chatMessageDeleted = defineEvent({
  service: 'room',
  noun: 'chat-message',
  happened: 'deleted',
  /** `deletedBy` is the uid of the participant in the class who did it; empty if the organization's backend did. */
  data: message.extend({ deletedBy: z.string(), deletedAt: timestamp }),
});

export const chatMessageReported = defineEvent({
  service: 'room',
  noun: 'chat-message',
  happened: 'reported',
  data: message.extend({ reportedBy: z.string(), reportedAt: timestamp }),
});
