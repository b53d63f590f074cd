// Written by `npm run reference` from the contracts.
import { fromNdjson, fromServerSentEvents } from './answers.js';
import { Events } from './events.js';
import type { Addressed, Body, Query } from './operation.js';
import { Pages } from './pages.js';
import type { RequestOptions, Transport } from './transport.js';

class Resource {
  constructor(protected readonly api: Transport) {}
}

export class Resources extends Resource {
  readonly agent = new Agent(this.api);
  readonly tutor = new Tutor(this.api);
  readonly apiKeys = new ApiKeys(this.api);
  readonly billing = new Billing(this.api);
  readonly videos = new Videos(this.api);
  readonly events = new Events(this.api);
  readonly participants = new Participants(this.api);
  readonly rooms = new Rooms(this.api);
  readonly recordings = new Recordings(this.api);
  readonly webhookEndpoints = new WebhookEndpoints(this.api);

  /** Whether the service can be used */
  health = (options?: RequestOptions) =>
    this.api.call('getHealth', {}, options);
}

export class Agent extends Resource {
  /** Say something to the agent and get the whole answer */
  chat = (body: Body<'agentChat'>, options?: RequestOptions) =>
    this.api.call('agentChat', { body }, options);

  /** Say something to the agent and get the answer as it comes, a line of JSON each */
  stream = (body: Body<'agentChatStream'>, options?: RequestOptions) =>
    fromNdjson(this.api.stream('agentChatStream', { body }, options));

  /** What agent and tutor used, in tokens and cost */
  usage = (query: Query<'getAiUsage'> = {}, options?: RequestOptions) =>
    this.api.call('getAiUsage', { query }, options);

  /** The voices that voiceName may name */
  voices = (options?: RequestOptions) =>
    this.api.call('listVoices', {}, options);
}

export class Tutor extends Resource {
  /** A student’s question to the tutor of a room */
  chat = (body: Addressed<'tutorChat'>, options?: RequestOptions) =>
    this.api.call('tutorChat', { body: { ...body, organizationId: body.organizationId ?? this.api.organizationId ?? '' } }, options);

  /** The same, as server-sent events */
  stream = (body: Addressed<'tutorChatStream'>, options?: RequestOptions) =>
    fromServerSentEvents(this.api.stream('tutorChatStream', { body: { ...body, organizationId: body.organizationId ?? this.api.organizationId ?? '' } }, options));

  /** What a class asked its tutor */
  summary = (roomId: string, options?: RequestOptions) =>
    this.api.call('tutorSummary', { params: { roomId } }, options);

  /** The tokens a class’s tutor used */
  usage = (roomId: string, options?: RequestOptions) =>
    this.api.call('tutorUsage', { params: { roomId } }, options);

  /** What each student’s questions cost in a room, by uid */
  costs = (roomId: string, query: Query<'getTutorCosts'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('getTutorCosts', { params: { roomId }, query: { ...query, cursor } }, options), ({ students }) => students, ({ pagination }) => pagination.nextCursor);
}

export class ApiKeys extends Resource {
  /** All of an organization’s API keys, oldest first */
  list = (options?: RequestOptions) =>
    this.api.call('listApiKeys', {}, options);

  /** Make an API key; the answer alone shows its secret. A key gives no more than it may itself */
  create = (body: Body<'createApiKey'>, options?: RequestOptions) =>
    this.api.call('createApiKey', { body }, options);

  /** End an API key at once, with all its secrets */
  revoke = (keyId: string, options?: RequestOptions) =>
    this.api.call('revokeApiKey', { params: { keyId } }, options);

  /** Make a new secret for an API key; those before it go on for a while */
  rotate = (keyId: string, body: Body<'rotateApiKey'> = {}, options?: RequestOptions) =>
    this.api.call('rotateApiKey', { params: { keyId }, body }, options);
}

export class Billing extends Resource {
  /** What is left (prepaid) or used in this cycle (postpaid) */
  balance = (options?: RequestOptions) =>
    this.api.call('getBalance', {}, options);
}

export class Videos extends Resource {
  /** An organization’s videos, newest first */
  list = (query: Query<'listVideos'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listVideos', { query: { ...query, cursor } }, options), ({ videos }) => videos, ({ nextCursor }) => nextCursor);

  /** Announce a video and get where to upload it */
  create = (body: Body<'createVideo'>, options?: RequestOptions) =>
    this.api.call('createVideo', { body }, options);

  /** Delete a video with everything of it; what is under way is stopped */
  delete = (videoId: string, options?: RequestOptions) =>
    this.api.call('deleteVideo', { params: { videoId } }, options);

  /** Attach a WebVTT track; the same language again replaces it; at most 100 tracks */
  addCaption = (videoId: string, body: Body<'addCaption'>, options?: RequestOptions) =>
    this.api.call('addCaption', { params: { videoId }, body }, options);

  /** How far a video’s transcoding is */
  get = (videoId: string, options?: RequestOptions) =>
    this.api.call('getVideoStatus', { params: { videoId } }, options);

  /** Signed playback and poster URLs, valid for an hour */
  url = (videoId: string, options?: RequestOptions) =>
    this.api.call('getVideoUrl', { params: { videoId } }, options);
}

export class Participants extends Resource {
  /** When a participant was in which class, as JSON or CSV */
  sessions = (body: Omit<Body<'getParticipantSessions'>, 'export'>, options?: RequestOptions) =>
    this.api.call('getParticipantSessions', { body }, options);

  /** The same as a CSV file */
  sessionsCsv = (body: Omit<Body<'getParticipantSessions'>, 'export'>, options?: RequestOptions) =>
    this.api.csv('getParticipantSessions', { body: { ...body, export: 'csv' } }, options);
}

export class Rooms extends Resource {
  readonly participants = new RoomsParticipants(this.api);

  /** End a class: everyone is disconnected and the roomId is used up */
  end = (roomId: string, options?: RequestOptions) =>
    this.api.call('deleteRoom', { params: { roomId } }, options);

  /** Change a room’s title, description or limits, before or during the class */
  change = (roomId: string, body: Body<'changeRoom'>, options?: RequestOptions) =>
    this.api.call('changeRoom', { params: { roomId }, body }, options);

  /** Everyone who was in a class: first join, last leave, total, share of the class */
  attendance = (roomId: string, options?: RequestOptions) =>
    this.api.call('getAttendance', { params: { roomId } }, options);

  /** The same as a CSV file */
  attendanceCsv = (roomId: string, options?: RequestOptions) =>
    this.api.csv('getAttendance', { params: { roomId }, query: { export: 'csv' } }, options);

  /** Tell the tutor of a room its topic and class notes */
  setContext = (roomId: string, body: Body<'setRoomContext'>, options?: RequestOptions) =>
    this.api.call('setRoomContext', { params: { roomId }, body }, options);

  /** Get a participant’s token for a room */
  join = (roomId: string, body: Body<'joinRoom'>, options?: RequestOptions) =>
    this.api.call('joinRoom', { params: { roomId }, body }, options);

  /** A room’s polls with their votes, also after the class */
  polls = (roomId: string, options?: RequestOptions) =>
    this.api.call('listRoomPolls', { params: { roomId } }, options);

  /** Whether a room exists, is live, and who is there */
  status = (roomId: string, options?: RequestOptions) =>
    this.api.call('getRoomStatus', { params: { roomId } }, options);

  /** What a class came to: people, minutes, credits */
  summary = (roomId: string, options?: RequestOptions) =>
    this.api.call('getRoomSummary', { params: { roomId } }, options);

  /** Create a room and get the first participant’s token */
  create = (body: Body<'createRoom'>, options?: RequestOptions) =>
    this.api.call('createRoom', { body }, options);

  /** An organization’s rooms, newest first, by status, date of creation and title */
  list = (query: Query<'listRooms'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listRooms', { query: { ...query, cursor } }, options), ({ rooms }) => rooms, ({ nextCursor }) => nextCursor);
}

export class RoomsParticipants extends Resource {
  /** Everyone a token was made for, with who is connected now; also after the class */
  list = (roomId: string, query: Query<'listParticipants'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listParticipants', { params: { roomId }, query: { ...query, cursor } }, options), ({ participants }) => participants, ({ nextCursor }) => nextCursor);

  /** One person of a room, and whether they are connected now; also after the class */
  get = (roomId: string, uid: string, options?: RequestOptions) =>
    this.api.call('getParticipant', { params: { roomId, uid } }, options);

  /** Give a participant another role, at once, whatever their token says */
  changeRole = (roomId: string, uid: string, body: Body<'changeParticipantRole'>, options?: RequestOptions) =>
    this.api.call('changeParticipantRole', { params: { roomId, uid }, body }, options);

  /** Mute what a participant publishes; only they can turn it on again */
  mute = (roomId: string, uid: string, body: Body<'muteRoomParticipant'> = {}, options?: RequestOptions) =>
    this.api.call('muteRoomParticipant', { params: { roomId, uid }, body }, options);

  /** Put a participant out; a new token lets them in again, no older one does */
  remove = (roomId: string, uid: string, options?: RequestOptions) =>
    this.api.call('removeRoomParticipant', { params: { roomId, uid } }, options);
}

export class Recordings extends Resource {
  /** Record a live room */
  start = (roomId: string, body: Body<'startRecording'> = {}, options?: RequestOptions) =>
    this.api.call('startRecording', { params: { roomId }, body }, options);

  /** Stop a room’s recording and have its file made */
  stop = (roomId: string, body: Body<'stopRecording'> = {}, options?: RequestOptions) =>
    this.api.call('stopRecording', { params: { roomId }, body }, options);

  /** A room’s recordings, past and current */
  list = (roomId: string, options?: RequestOptions) =>
    this.api.call('listRecordings', { params: { roomId } }, options);

  /** Make a finished recording a video; the same recording again answers the same video */
  publish = (roomId: string, recordingId: string, options?: RequestOptions) =>
    this.api.call('publishRecording', { params: { roomId, recordingId } }, options);

  /** Download links of a class that has ended */
  downloads = (roomId: string, options?: RequestOptions) =>
    this.api.call('downloadRecordings', { params: { roomId } }, options);
}

export class WebhookEndpoints extends Resource {
  /** All of an organization’s webhook endpoints, oldest first */
  list = (options?: RequestOptions) =>
    this.api.call('listWebhookEndpoints', {}, options);

  /** Register an address for webhooks; the answer alone shows the secret that signs them */
  create = (body: Body<'createWebhookEndpoint'>, options?: RequestOptions) =>
    this.api.call('createWebhookEndpoint', { body }, options);

  /** Delete a webhook endpoint with its deliveries */
  delete = (endpointId: string, options?: RequestOptions) =>
    this.api.call('deleteWebhookEndpoint', { params: { endpointId } }, options);

  /** Read a webhook endpoint */
  get = (endpointId: string, options?: RequestOptions) =>
    this.api.call('getWebhookEndpoint', { params: { endpointId } }, options);

  /** Change a webhook endpoint, turn it off or on again; what is left out stays */
  update = (endpointId: string, body: Body<'updateWebhookEndpoint'>, options?: RequestOptions) =>
    this.api.call('updateWebhookEndpoint', { params: { endpointId }, body }, options);

  /** What was sent to an endpoint in the last 30 days, newest first */
  deliveries = (endpointId: string, query: Query<'listWebhookDeliveries'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listWebhookDeliveries', { params: { endpointId }, query: { ...query, cursor } }, options), ({ deliveries }) => deliveries, ({ nextCursor }) => nextCursor);

  /** Read a delivery with the body that is sent */
  delivery = (endpointId: string, deliveryId: string, options?: RequestOptions) =>
    this.api.call('getWebhookDelivery', { params: { endpointId, deliveryId } }, options);

  /** Send a delivery again, whatever became of it */
  replayDelivery = (endpointId: string, deliveryId: string, options?: RequestOptions) =>
    this.api.call('replayWebhookDelivery', { params: { endpointId, deliveryId } }, options);

  /** Send again what an endpoint failed to take, or missed; up to 10,000 a call */
  replay = (endpointId: string, body: Body<'replayWebhooks'>, options?: RequestOptions) =>
    this.api.call('replayWebhooks', { params: { endpointId }, body }, options);

  /** Make a new secret; for 24 hours the one before signs as well */
  rotateSecret = (endpointId: string, options?: RequestOptions) =>
    this.api.call('rotateWebhookSecret', { params: { endpointId } }, options);

  /** Send a ping to a webhook endpoint */
  test = (endpointId: string, options?: RequestOptions) =>
    this.api.call('testWebhookEndpoint', { params: { endpointId } }, options);
}
