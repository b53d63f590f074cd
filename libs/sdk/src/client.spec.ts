import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VirtualClassroom } from './client.js';

interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
}
const { paths } = JSON.parse(readFileSync(join(__dirname, '..', '..', '..', 'docs', 'reference', 'openapi.json'), 'utf8')) as { paths: Record<string, Record<string, Operation>> };

/** What a backend calls; the rest of the public reference is for people in class and for dashboards, with tokens of their own. */
const backendCalls = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, { security }]) => security.length === 0 || security.some((it) => 'organizationId' in it))
    .map(([method, { operationId }]) => ({ operationId, route: `${method.toUpperCase()} ${path}` })),
);

/** Which method makes which call. */
const METHODS = {
  'rooms.create': 'createRoom',
  'rooms.join': 'joinRoom',
  'rooms.status': 'getRoomStatus',
  'rooms.list': 'listRooms',
  'rooms.change': 'changeRoom',
  'rooms.end': 'deleteRoom',
  'rooms.polls': 'listRoomPolls',
  'rooms.setContext': 'setRoomContext',
  'rooms.attendance': 'getAttendance',
  'rooms.attendanceCsv': 'getAttendance',
  'rooms.summary': 'getRoomSummary',
  'rooms.participants.changeRole': 'changeParticipantRole',
  'rooms.participants.list': 'listParticipants',
  'rooms.participants.remove': 'removeRoomParticipant',
  'rooms.participants.mute': 'muteRoomParticipant',
  'recordings.start': 'startRecording',
  'recordings.stop': 'stopRecording',
  'recordings.list': 'listRecordings',
  'recordings.downloads': 'downloadRecordings',
  'recordings.publish': 'publishRecording',
  'videos.create': 'createVideo',
  'videos.list': 'listVideos',
  'videos.get': 'getVideoStatus',
  'videos.url': 'getVideoUrl',
  'videos.addCaption': 'addCaption',
  'videos.delete': 'deleteVideo',
  'billing.balance': 'getBalance',
  'participants.sessions': 'getParticipantSessions',
  'participants.sessionsCsv': 'getParticipantSessions',
  'agent.chat': 'agentChat',
  'agent.stream': 'agentChatStream',
  'agent.voices': 'listVoices',
  'agent.usage': 'getAiUsage',
  'tutor.chat': 'tutorChat',
  'tutor.stream': 'tutorChatStream',
  'tutor.summary': 'tutorSummary',
  'tutor.usage': 'tutorUsage',
  'tutor.costs': 'getTutorCosts',
  'webhookEndpoints.create': 'createWebhookEndpoint',
  'webhookEndpoints.list': 'listWebhookEndpoints',
  'webhookEndpoints.get': 'getWebhookEndpoint',
  'webhookEndpoints.update': 'updateWebhookEndpoint',
  'webhookEndpoints.delete': 'deleteWebhookEndpoint',
  'webhookEndpoints.rotateSecret': 'rotateWebhookSecret',
  'webhookEndpoints.test': 'testWebhookEndpoint',
  'webhookEndpoints.deliveries': 'listWebhookDeliveries',
  'webhookEndpoints.delivery': 'getWebhookDelivery',
  'webhookEndpoints.replayDelivery': 'replayWebhookDelivery',
  'webhookEndpoints.replay': 'replayWebhooks',
  'events.list': 'listEvents',
  'apiKeys.create': 'createApiKey',
  'apiKeys.list': 'listApiKeys',
  'apiKeys.rotate': 'rotateApiKey',
  'apiKeys.revoke': 'revokeApiKey',
  health: 'getHealth',
};

type Anything = (...given: unknown[]) => PromiseLike<unknown> | { page?: () => Promise<unknown>; next?: () => Promise<unknown> };

let called: string[] = [];
const fetch = async (url: string, init: RequestInit) => {
  called.push(`${init.method} ${new URL(url).pathname}`);
  return Response.json({ success: true, data: {} });
};
const client = new VirtualClassroom({ baseUrl: 'https://classroom.example', organizationId: 'org_1', fetch: fetch as typeof globalThis.fetch });

/** Every method of the client by its name, resources within resources too. */
function methodsOf(of: object, prefix = ''): [string, Anything][] {
  return Object.entries(of).flatMap(([name, it]: [string, unknown]) => {
    if (typeof it === 'function') return [[`${prefix}${name}`, it as Anything]];
    const isResource = typeof it === 'object' && it !== null && it.constructor.name !== 'Transport';
    return isResource ? methodsOf(it, `${prefix}${name}.`) : [];
  });
}
const methods = Object.fromEntries(methodsOf(client));

/** Where a route's parameters stand, whatever they are called: both are filled with the same. */
const filled = (route: string, values = ['a', 'b']) => route.replaceAll(/\{\w+\}/g, () => values.shift() ?? '');

describe('the client', () => {
  it('has a method for every call of the reference that a backend makes', () => {
    expect([...new Set(Object.values(METHODS))].sort()).toEqual(backendCalls.map(({ operationId }) => operationId).sort());
  });

  it('has no other', () => {
    expect(Object.keys(methods).sort()).toEqual(Object.keys(METHODS).sort());
  });

  it.each(Object.entries(METHODS))('%s makes the call %s', async (name, operationId) => {
    called = [];
    const made = methods[name]?.('a', 'b', {});
    if (made && 'page' in made) await made.page?.();
    // An answer that is no stream is refused, which is not what is looked at here.
    else if (made && 'next' in made) await made.next?.().catch(() => undefined);
    else await made;
    const route = backendCalls.find((it) => it.operationId === operationId)?.route ?? 'no such call';
    expect(called).toEqual([filled(route)]);
  });
});
