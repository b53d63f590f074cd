import { z } from 'zod';
import { csvFormat, csvMarkQuery, cursor, queryIntegerOr, shown } from '../kernel/fields.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { pageOf, timestamp } from '../kernel/values.js';
import { byBackendOrInClass, defineOperation } from '../kernel/operation.js';
import { GENERATED_ID, ROOM } from '../kernel/reference.js';
import { chatMessage } from './class-state.js';
import { roomIdParams } from './room.operations.js';

/** The writer may choose the id of a message, which is a UUID in any case. */
const messageId = z.uuid({ error: 'must be a message’s id' }).describe('Id of the message, a UUID.');
const messageParams = z.object({ messageId });

export const chatReport = z.object({
  messageId: z.string().describe('Id of the message.'),
  reportedAt: timestamp.describe('When the caller first reported it.'),
});

export const reportChatMessage = defineOperation({
  operationId: 'reportChatMessage',
  summary: 'Report chat message',
  description:
    'Reports a message to the teachers, moderators and admins of the class and to the organization’s backend. Reporting it again changes nothing.',
  tag: 'Class chat',
  route: 'POST /v1/classroom/chat/:messageId/report',
  auth: 'classroom',
  service: 'room',
  rpc: 'class.report-chat',
  params: messageParams,
  output: chatReport,
  message: 'Message reported',
  errors: ['ROOM_ENDED', 'CHAT_MESSAGE_NOT_FOUND'],
  example: { params: { messageId: GENERATED_ID } },
});

export const roomChatPage = z.object({
  messages: pageOf(chatMessage).describe('The messages, in the order in which they were sent.'),
  nextCursor: shown.nextCursor,
});

export const listRoomChat = defineEndpoint({
  operationId: 'listRoomChat',
  summary: 'List chat of room',
  description:
    'Returns the chat of a room, also after the class: all messages, those to the teachers included, with the number of their reports.',
  tag: 'Rooms',
  sdk: 'rooms.chat.list',
  route: 'GET /v1/room/:roomId/chat',
  auth: 'organization',
  scope: 'chat:read',
  dashboardRole: 'MEMBER',
  audit: 'required',
  params: roomIdParams,
  query: z.object({
    cursor: cursor,
    limit: queryIntegerOr(100, { min: 1, max: 200 }).describe('Messages per page, 1 to 200. Default: 100.'),
    export: z
      .enum(['csv', 'json'])
      .default('json')
      .describe('`csv` returns all messages as a file and ignores `cursor` and `limit`. Default: `json`.'),
    format: csvFormat,
    bom: csvMarkQuery,
  }),
  response: envelope(roomChatPage),
  produces: ['application/json', 'text/csv'],
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const deleteChatMessage = defineOperation({
  operationId: 'deleteChatMessage',
  summary: 'Delete chat message',
  description:
    'Erases the text of a message for everyone, also after the class; who wrote it and when it was deleted remain. Deleting it again changes nothing.',
  tag: 'Rooms',
  sdk: 'rooms.chat.delete',
  route: 'DELETE /v1/room/:roomId/chat/:messageId',
  auth: 'organization',
  scope: 'rooms:write',
  service: 'room',
  rpc: 'rooms.delete-chat',
  params: roomIdParams.extend({ messageId }),
  input: byBackendOrInClass({ messageId }),
  output: chatMessage,
  message: 'Message deleted',
  errors: ['ROOM_NOT_FOUND', 'CHAT_MESSAGE_NOT_FOUND'],
  inClass: {
    path: '/chat/:messageId',
    summary: 'Delete chat message in class',
    description:
      'Erases the text of a message for everyone; who wrote it and who deleted it remain. Deleting it again changes nothing. Allowed for TEACHER, MODERATOR and ADMIN.',
    tag: 'Class chat',
  },
  example: { params: { ...ROOM, messageId: GENERATED_ID } },
});
