import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { timestamp } from '../kernel/ids.js';
import { NAMES } from '../kernel/names.js';
import { defineAlias } from '../kernel/operation.js';
import { isCsv } from '../kernel/query.js';
import { ROOM, VIDEO } from '../kernel/samples.js';
import { tutorSummary } from '../ai/tutor.operations.js';
import { attendance, getAttendance } from '../billing/reports.operations.js';
import { getVideoUrl } from '../media/video.operations.js';
import { downloadRecordings } from '../recording/recording.operations.js';
import { listRoomChat } from '../room/chat.operations.js';
import { listConsents } from '../room/consent.operations.js';
import { engagement, listEngagement } from '../room/engagement.operations.js';
import { listRoomPolls } from '../room/interaction.operations.js';
import { roomIdParams } from '../room/room.operations.js';
import { getRoom, listParticipants } from '../room/rooms.operations.js';

/** A class as the staff of its organization reads it. */

export const getDashboardRoom = defineAlias(getRoom, {
  operationId: 'getDashboardRoom',
  summary: 'Get dashboard room',
  description: 'Returns everything that was given for a room, and what happened. Also works after the class.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms/:roomId',
  auth: 'dashboard',
  params: roomIdParams,
  message: 'Room',
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const listDashboardParticipants = defineAlias(listParticipants, {
  operationId: 'listDashboardParticipants',
  summary: 'List dashboard participants',
  description: 'Returns everyone for whom a token of a room was created, and whether they are connected now. Also works after the class.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms/:roomId/participants',
  auth: 'dashboard',
  params: roomIdParams,
  query: listParticipants.query,
  toInput: (request) => listParticipants.toInput(request),
  message: 'Participants',
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const getDashboardAttendance = defineEndpoint({
  operationId: 'getDashboardAttendance',
  summary: 'Get dashboard attendance',
  description:
    'Returns for everyone who was in a class the first join, the last leave, the total time and the share of the class, as JSON or CSV.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms/:roomId/attendance',
  auth: 'dashboard',
  audit: 'required',
  auditIf: isCsv,
  params: roomIdParams,
  query: getAttendance.query,
  response: envelope(attendance),
  produces: ['application/json', 'text/csv'],
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const shownConnection = z
  .object({
    connectionSid: z.string().describe('Id of the connection.'),
    uid: shown.uid,
    name: shown.name,
    role: shown.role,
    joinedAt: timestamp.describe('When the connection began.'),
    leftAt: timestamp.nullable().describe('When it ended; null while it is open.'),
    openedBy: z.string().describe('The evidence that opened it, such as a webhook. More may be added.'),
    closedBy: z.string().nullable().describe('The evidence that closed it; null while it is open. More may be added.'),
  })
  .register(NAMES, { id: 'Connection', description: 'One stay of a participant in a class, as the room service counts it.' });

/** Connections in one answer. */
export const MAX_SHOWN_CONNECTIONS = 5_000;

export const listDashboardConnections = defineEndpoint({
  operationId: 'listDashboardConnections',
  summary: 'List connections',
  description: `Returns every join and leave of a class, during it and afterwards, with the evidence, at most ${MAX_SHOWN_CONNECTIONS.toLocaleString('en-US')} of them.`,
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms/:roomId/connections',
  auth: 'dashboard',
  params: roomIdParams,
  response: envelope(
    z.object({
      connections: z.array(shownConnection).describe('The connections, the earliest join first.'),
      isComplete: z.boolean().describe('Whether these are all of them.'),
    }),
  ),
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const listDashboardEngagement = defineEndpoint({
  operationId: 'listDashboardEngagement',
  summary: 'List dashboard engagement',
  description: 'Returns how everyone for whom a token was created took part in a class. Works during the class and after it.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms/:roomId/engagement',
  auth: 'dashboard',
  audit: 'required',
  params: roomIdParams,
  query: listEngagement.query,
  response: envelope(z.object({ participants: z.array(engagement).describe('The participants, by uid.'), nextCursor: shown.nextCursor })),
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const listDashboardConsents = defineAlias(listConsents, {
  operationId: 'listDashboardConsents',
  summary: 'List dashboard consents',
  description: 'Returns every answer to a question for consent in a room, oldest first. Also works after the class.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms/:roomId/consents',
  auth: 'dashboard',
  audit: 'required',
  params: roomIdParams,
  query: listConsents.query,
  message: 'Consents',
  example: { params: ROOM },
});

export const listDashboardPolls = defineEndpoint({
  operationId: 'listDashboardPolls',
  summary: 'List dashboard polls',
  description: 'Returns the polls of a class with their votes. Also works after the class.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms/:roomId/polls',
  auth: 'dashboard',
  audit: 'required',
  params: roomIdParams,
  response: listRoomPolls.response,
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const listDashboardChat = defineEndpoint({
  operationId: 'listDashboardChat',
  summary: 'List dashboard chat',
  description:
    'Returns the chat of a class, as JSON or CSV: all messages, those to the teachers included, with the number of their reports. Also works after the class.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms/:roomId/chat',
  auth: 'dashboard',
  audit: 'required',
  params: roomIdParams,
  query: listRoomChat.query,
  response: listRoomChat.response,
  produces: ['application/json', 'text/csv'],
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

export const getDashboardTutorSummary = defineAlias(tutorSummary, {
  operationId: 'getDashboardTutorSummary',
  summary: 'Get dashboard tutor summary',
  description: 'Returns a summary of what a class asked its tutor, and its most frequent questions.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms/:roomId/questions',
  auth: 'dashboard',
  audit: 'required',
  params: roomIdParams,
  message: 'Questions',
  example: { params: ROOM },
});

export const downloadDashboardRecordings = defineAlias(downloadRecordings, {
  operationId: 'downloadDashboardRecordings',
  summary: 'Download dashboard recordings',
  description: 'Returns links to the recordings of a class that has ended.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms/:roomId/recordings/download',
  auth: 'dashboard',
  audit: 'required',
  params: roomIdParams,
  message: 'Download links',
  example: { params: ROOM },
});

export const getDashboardVideoUrl = defineAlias(getVideoUrl, {
  operationId: 'getDashboardVideoUrl',
  summary: 'Get dashboard video URL',
  description: 'Returns signed playback and poster URLs of a video, valid for one hour.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/videos/:videoId/url',
  auth: 'dashboard',
  params: getVideoUrl.params,
  example: { params: VIDEO },
});
