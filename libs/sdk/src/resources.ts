/* eslint-disable max-lines */
// Written by `npm run generate -- reference` from the contracts.
import { fromNdjson, fromServerSentEvents } from './answers.js';
import { Events } from './events.js';
import type { Addressed, Body, Query } from './operation.js';
import { Pages } from './pages.js';
import type { RequestOptions, Transport } from './transport.js';

class Resource {
  constructor(protected readonly api: Transport) {}
}

export class Resources extends Resource {
  readonly rooms = new Rooms(this.api);
  readonly presets = new Presets(this.api);
  readonly recordings = new Recordings(this.api);
  readonly recordingBucket = new RecordingBucket(this.api);
  readonly participants = new Participants(this.api);
  readonly billing = new Billing(this.api);
  readonly videos = new Videos(this.api);
  readonly agent = new Agent(this.api);
  readonly tutor = new Tutor(this.api);
  readonly webhookEndpoints = new WebhookEndpoints(this.api);
  readonly events = new Events(this.api);
  readonly credentials = new Credentials(this.api);
  readonly apiKeys = new ApiKeys(this.api);
  readonly dashboardTokens = new DashboardTokens(this.api);
  readonly audit = new Audit(this.api);
  readonly privacy = new Privacy(this.api);

  /** Returns whether the service and its dependencies work. */
  health = (options?: RequestOptions) =>
    this.api.call('getHealth', {}, options);
}

export class Rooms extends Resource {
  readonly chat = new RoomsChat(this.api);
  readonly participants = new RoomsParticipants(this.api);
  readonly waiting = new RoomsWaiting(this.api);
  readonly documents = new RoomsDocuments(this.api);

  /** Creates a room and returns the first participant’s token and link. */
  create = (body: Body<'createRoom'>, options?: RequestOptions) =>
    this.api.call('createRoom', { body }, options);

  /** Returns a token and a link for a participant of a room. Before the room opens by its schedule, the link counts down. */
  join = (roomId: string, body: Body<'joinRoom'>, options?: RequestOptions) =>
    this.api.call('joinRoom', { params: { roomId }, body }, options);

  /** Returns whether a room exists and is live, and how many participants are connected. */
  status = (roomId: string, options?: RequestOptions) =>
    this.api.call('getRoomStatus', { params: { roomId } }, options);

  /** Returns the organization’s rooms, newest first, as JSON or CSV. Filters: status, date of creation, start of the class, title. */
  list = (query: Omit<Query<'listRooms'>, 'export'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listRooms', { query: { ...query, cursor } }, options), ({ rooms }) => rooms, ({ nextCursor }) => nextCursor);

  /** The same as a CSV file */
  listCsv = (query: Omit<Query<'listRooms'>, 'export'> = {}, options?: RequestOptions) =>
    this.api.csv('listRooms', { query: { ...query, export: 'csv' } }, options);

  /** Returns everything that was given for a room, and what happened. Also works after the class. To poll, use *Get room status*. */
  get = (roomId: string, options?: RequestOptions) =>
    this.api.call('getRoom', { params: { roomId } }, options);

  /** Changes what was given for a room, before or during the class. Omitted fields stay as they are. */
  change = (roomId: string, body: Body<'changeRoom'>, options?: RequestOptions) =>
    this.api.call('changeRoom', { params: { roomId }, body }, options);

  /** Ends the class and disconnects everyone. The roomId cannot be used again. */
  end = (roomId: string, options?: RequestOptions) =>
    this.api.call('deleteRoom', { params: { roomId } }, options);

  /** Returns the polls of a room with their votes, also after the class. */
  polls = (roomId: string, options?: RequestOptions) =>
    this.api.call('listRoomPolls', { params: { roomId } }, options);

  /** Returns the board of a room, also after the class: all pages with what is drawn on them as JSON or as a PDF file over the slides, or one page as a picture (SVG, PNG). This method returns the JSON. */
  board = (roomId: string, options?: RequestOptions) =>
    this.api.call('getRoomBoard', { params: { roomId } }, options);

  /** The same as the bytes of a file, by its `format` */
  boardFile = (roomId: string, query: Query<'getRoomBoard'>, options?: RequestOptions) =>
    this.api.file('getRoomBoard', { params: { roomId }, query }, options);

  /** Returns every answer to a question for consent in a room, oldest first. Also works after the class. */
  consents = (roomId: string, query: Query<'listConsents'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listConsents', { params: { roomId }, query: { ...query, cursor } }, options), ({ consents }) => consents, ({ nextCursor }) => nextCursor);

  /** Returns the participants, the minutes and the credits of a class. */
  summary = (roomId: string, options?: RequestOptions) =>
    this.api.call('getRoomSummary', { params: { roomId } }, options);

  /** Returns for everyone who was in a class the first join, the last leave, the total time and the share of the class; with an attendance policy, also who was late, left early or was absent. */
  attendance = (roomId: string, query: Omit<Query<'getAttendance'>, 'export'> = {}, options?: RequestOptions) =>
    this.api.call('getAttendance', { params: { roomId }, query }, options);

  /** The same as a CSV file */
  attendanceCsv = (roomId: string, query: Omit<Query<'getAttendance'>, 'export'> = {}, options?: RequestOptions) =>
    this.api.csv('getAttendance', { params: { roomId }, query: { ...query, export: 'csv' } }, options);

  /** Returns how everyone for whom a token was created took part: time in class, speech and camera as the class page measured them, hands, chat, reactions, poll answers and questions to the tutor. Works during the class and after it. */
  engagement = (roomId: string, query: Query<'listEngagement'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listEngagement', { params: { roomId }, query: { ...query, cursor } }, options), ({ participants }) => participants, ({ nextCursor }) => nextCursor);

  /** Gives the tutor of a room its topic and class notes. */
  setContext = (roomId: string, body: Body<'setRoomContext'>, options?: RequestOptions) =>
    this.api.call('setRoomContext', { params: { roomId }, body }, options);
}

export class RoomsChat extends Resource {
  /** Returns the chat of a room, also after the class: all messages, those to the teachers included, with the number of their reports. */
  list = (roomId: string, query: Omit<Query<'listRoomChat'>, 'export'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listRoomChat', { params: { roomId }, query: { ...query, cursor } }, options), ({ messages }) => messages, ({ nextCursor }) => nextCursor);

  /** The same as a CSV file */
  listCsv = (roomId: string, query: Omit<Query<'listRoomChat'>, 'export'> = {}, options?: RequestOptions) =>
    this.api.csv('listRoomChat', { params: { roomId }, query: { ...query, export: 'csv' } }, options);

  /** Erases the text of a message for everyone, also after the class; who wrote it and when it was deleted remain. Deleting it again changes nothing. */
  delete = (roomId: string, messageId: string, options?: RequestOptions) =>
    this.api.call('deleteChatMessage', { params: { roomId, messageId } }, options);
}

export class RoomsParticipants extends Resource {
  /** Returns everyone for whom a token was created, and whether they are connected now. Also works after the class. */
  list = (roomId: string, query: Query<'listParticipants'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listParticipants', { params: { roomId }, query: { ...query, cursor } }, options), ({ participants }) => participants, ({ nextCursor }) => nextCursor);

  /** Returns one participant of a room, and whether they are connected now. Also works after the class. */
  get = (roomId: string, uid: string, options?: RequestOptions) =>
    this.api.call('getParticipant', { params: { roomId, uid } }, options);

  /** Changes the role of a participant immediately. The new role overrides the one in their token. */
  changeRole = (roomId: string, uid: string, body: Body<'changeRole'>, options?: RequestOptions) =>
    this.api.call('changeRole', { params: { roomId, uid }, body }, options);

  /** Mutes a track of a participant. Only the participant can unmute it. */
  mute = (roomId: string, uid: string, body: Body<'muteParticipant'> = {}, options?: RequestOptions) =>
    this.api.call('muteParticipant', { params: { roomId, uid }, body }, options);

  /** Disconnects a participant and revokes their tokens. A token created later admits them again. */
  remove = (roomId: string, uid: string, options?: RequestOptions) =>
    this.api.call('removeParticipant', { params: { roomId, uid } }, options);

  /** Answers why a class was bad for a participant: a verdict, the causes in words, and each minute as the class page measured it. Works during the class and after it. */
  quality = (roomId: string, uid: string, options?: RequestOptions) =>
    this.api.call('explainQuality', { params: { roomId, uid } }, options);
}

export class RoomsWaiting extends Resource {
  /** Returns the participants in the waiting room, the longest waiting first: the first 500. */
  list = (roomId: string, options?: RequestOptions) =>
    this.api.call('listWaiting', { params: { roomId } }, options);

  /** Admits a participant from the waiting room, also before they come, or refuses them. */
  decide = (roomId: string, uid: string, body: Body<'decideAdmission'>, options?: RequestOptions) =>
    this.api.call('decideAdmission', { params: { roomId, uid }, body }, options);

  /** Admits everyone who is waiting. */
  admitAll = (roomId: string, options?: RequestOptions) =>
    this.api.call('admitEveryone', { params: { roomId } }, options);
}

export class RoomsDocuments extends Resource {
  /** Adds a document to a class: returns its upload URL, or loads the file from `url`. Each page becomes a picture, and its text part of what the tutor knows. A class has at most 100 documents, a document 500 pages. */
  create = (roomId: string, body: Body<'createDocument'>, options?: RequestOptions) =>
    this.api.call('createDocument', { params: { roomId }, body }, options);

  /** Returns the documents of a class, oldest first. Also works after the class. */
  list = (roomId: string, options?: RequestOptions) =>
    this.api.call('listDocuments', { params: { roomId } }, options);

  /** Returns a document with signed addresses of the pictures of its pages, valid for one hour, and their text. */
  get = (roomId: string, documentId: string, query: Query<'getDocument'> = {}, options?: RequestOptions) =>
    this.api.call('getDocument', { params: { roomId, documentId }, query }, options);

  /** Deletes a document with its pages, and stops its upload or conversion. The tutor forgets it within half a minute. */
  delete = (roomId: string, documentId: string, options?: RequestOptions) =>
    this.api.call('deleteDocument', { params: { roomId, documentId } }, options);
}

export class Presets extends Resource {
  /** Creates or replaces a preset. Rooms that exist stay as they are. An organization has 50 presets at most. */
  set = (presetName: string, body: Body<'setPreset'>, options?: RequestOptions) =>
    this.api.call('setPreset', { params: { presetName }, body }, options);

  /** Returns one preset. */
  get = (presetName: string, options?: RequestOptions) =>
    this.api.call('getPreset', { params: { presetName } }, options);

  /** Deletes a preset. Rooms that were created with it stay as they are. */
  delete = (presetName: string, options?: RequestOptions) =>
    this.api.call('deletePreset', { params: { presetName } }, options);

  /** Returns all presets of the organization. */
  list = (options?: RequestOptions) =>
    this.api.call('listPresets', {}, options);
}

export class Recordings extends Resource {
  /** Starts the recording of a live room. */
  start = (roomId: string, body: Body<'startRecording'> = {}, options?: RequestOptions) =>
    this.api.call('startRecording', { params: { roomId }, body }, options);

  /** Stops the recording of a room. Its file is then finalized. A paused recording, whose file has ended, is paused no longer. */
  stop = (roomId: string, body: Body<'stopRecording'> = {}, options?: RequestOptions) =>
    this.api.call('stopRecording', { params: { roomId }, body }, options);

  /** Pauses the recording of a room: its file ends here, and *Resume recording* begins the next one with the same options. A paused recording needs no stop. *Merge recordings* makes one file of all after the class. */
  pause = (roomId: string, options?: RequestOptions) =>
    this.api.call('pauseRecording', { params: { roomId } }, options);

  /** Continues a paused recording in a new file with the same options. */
  resume = (roomId: string, options?: RequestOptions) =>
    this.api.call('resumeRecording', { params: { roomId } }, options);

  /** Returns the past and current recordings of a room. */
  list = (roomId: string, options?: RequestOptions) =>
    this.api.call('listRecordings', { params: { roomId } }, options);

  /** Makes one file of all files of a class that has ended, in their order and without another loss of quality. The result is one more recording, `COMPLETED` after some seconds; the parts stay. Repeated calls return the same recording. */
  merge = (roomId: string, options?: RequestOptions) =>
    this.api.call('mergeRecordings', { params: { roomId } }, options);

  /** Returns download links for the recordings of a class that has ended. */
  downloads = (roomId: string, options?: RequestOptions) =>
    this.api.call('downloadRecordings', { params: { roomId } }, options);

  /** Begins or ends a legal hold of a recording: during a hold its files are not deleted. An API key ends one only with the scope `recordings:manage`. An organization whose erasure was requested may call it too: the erasure waits until the hold ends. */
  hold = (roomId: string, recordingId: string, body: Body<'holdRecording'>, options?: RequestOptions) =>
    this.api.call('holdRecording', { params: { roomId, recordingId }, body }, options);

  /** Creates a video from a finished recording. Publishing the same recording again returns the same video. */
  publish = (roomId: string, recordingId: string, options?: RequestOptions) =>
    this.api.call('publishRecording', { params: { roomId, recordingId } }, options);
}

export class RecordingBucket extends Resource {
  /** Sets the bucket of your own to which every recording is copied that is completed from now on. Copies that wait or have failed are tried again. Before it is stored, a test object is written below the prefix. The key needs only `s3:PutObject`: nothing is read, listed or deleted. */
  set = (body: Body<'setRecordingBucket'>, options?: RequestOptions) =>
    this.api.call('setRecordingBucket', { body }, options);

  /** Returns the bucket to which recordings are copied, and whether the last attempt succeeded. */
  get = (options?: RequestOptions) =>
    this.api.call('getRecordingBucket', {}, options);

  /** Deletes the setting with its key. Copies that wait are given up; those in the bucket stay there. */
  delete = (options?: RequestOptions) =>
    this.api.call('deleteRecordingBucket', {}, options);
}

export class Participants extends Resource {
  /** Returns when a participant was in which class, as JSON or CSV. */
  sessions = (body: Omit<Body<'getParticipantSessions'>, 'export'>, options?: RequestOptions) =>
    this.api.call('getParticipantSessions', { body }, options);

  /** The same as a CSV file */
  sessionsCsv = (body: Omit<Body<'getParticipantSessions'>, 'export'>, options?: RequestOptions) =>
    this.api.csv('getParticipantSessions', { body: { ...body, export: 'csv' } }, options);
}

export class Billing extends Resource {
  readonly ledger = new BillingLedger(this.api);
  readonly statements = new BillingStatements(this.api);
  readonly alerts = new BillingAlerts(this.api);

  /** Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid). */
  balance = (options?: RequestOptions) =>
    this.api.call('getBalance', {}, options);
}

export class BillingLedger extends Resource {
  /** Returns every entry behind the balance, newest first. */
  list = (query: Query<'listLedger'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listLedger', { query: { ...query, cursor } }, options), ({ entries }) => entries, ({ pagination }) => pagination.nextCursor);

  /** Returns the sessions or the AI usage behind a charge and computes the charge again. */
  explain = (entryId: string, options?: RequestOptions) =>
    this.api.call('explainEntry', { params: { entryId } }, options);
}

export class BillingStatements extends Resource {
  /** Returns the closed postpaid cycles, newest first. */
  list = (options?: RequestOptions) =>
    this.api.call('listStatements', {}, options);

  /** Returns a statement as a PDF file: totals by kind, and a line for each class. */
  pdf = (statementId: string, query: Query<'getStatementPdf'> = {}, options?: RequestOptions) =>
    this.api.pdf('getStatementPdf', { params: { statementId }, query }, options);
}

export class BillingAlerts extends Resource {
  /** Replaces the thresholds. Each sends one event per crossing: a prepaid balance has to rise to the threshold again, for example by a top-up, and a postpaid cycle has to end, before the next. */
  set = (body: Body<'setCreditAlerts'>, options?: RequestOptions) =>
    this.api.call('setCreditAlerts', { body }, options);

  /** Returns the thresholds at which `credits.threshold_reached` is sent. */
  get = (options?: RequestOptions) =>
    this.api.call('getCreditAlerts', {}, options);
}

export class Videos extends Resource {
  /** Creates a video and returns its upload URL. */
  create = (body: Body<'createVideo'>, options?: RequestOptions) =>
    this.api.call('createVideo', { body }, options);

  /** Returns the organization’s videos, newest first. */
  list = (query: Query<'listVideos'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listVideos', { query: { ...query, cursor } }, options), ({ videos }) => videos, ({ nextCursor }) => nextCursor);

  /** Returns the status and the transcoding progress of a video. */
  get = (videoId: string, options?: RequestOptions) =>
    this.api.call('getVideoStatus', { params: { videoId } }, options);

  /** Returns signed playback and poster URLs, valid for one hour. */
  url = (videoId: string, options?: RequestOptions) =>
    this.api.call('getVideoUrl', { params: { videoId } }, options);

  /** Attaches a WebVTT track. A track of the same language is replaced. A video has at most 100 tracks. */
  addCaption = (videoId: string, body: Body<'addCaption'>, options?: RequestOptions) =>
    this.api.call('addCaption', { params: { videoId }, body }, options);

  /** Deletes a video with all its files and stops its upload or transcoding. */
  delete = (videoId: string, options?: RequestOptions) =>
    this.api.call('deleteVideo', { params: { videoId } }, options);
}

export class Agent extends Resource {
  /** Returns the values that `voiceName` accepts. */
  voices = (options?: RequestOptions) =>
    this.api.call('listVoices', {}, options);

  /** Sends a message to the agent and returns the whole answer. */
  chat = (body: Body<'agentChat'>, options?: RequestOptions) =>
    this.api.call('agentChat', { body: { ...body, responseType: body.responseType ?? body.responseModality ?? 'text' } }, options);

  /** Sends a message to the agent. The answer arrives as it is generated, one JSON object per line. */
  stream = (body: Body<'agentChatStream'>, options?: RequestOptions) =>
    fromNdjson(this.api.stream('agentChatStream', { body: { ...body, responseType: body.responseType ?? body.responseModality ?? 'text' } }, options));

  /** Returns the tokens and the cost of agent and tutor. */
  usage = (query: Query<'getAiUsage'> = {}, options?: RequestOptions) =>
    this.api.call('getAiUsage', { query }, options);
}

export class Tutor extends Resource {
  /** Asks the tutor of a room on behalf of a student and returns the whole answer. */
  chat = (body: Addressed<'tutorChat'>, options?: RequestOptions) =>
    this.api.call('tutorChat', { body: { ...body, organizationId: body.organizationId ?? this.api.credential ?? '' } }, options);

  /** Asks the tutor of a room on behalf of a student. The answer arrives as server-sent events. */
  stream = (body: Addressed<'tutorChatStream'>, options?: RequestOptions) =>
    fromServerSentEvents(this.api.stream('tutorChatStream', { body: { ...body, organizationId: body.organizationId ?? this.api.credential ?? '' } }, options));

  /** Returns a summary of what a class asked its tutor. */
  summary = (roomId: string, options?: RequestOptions) =>
    this.api.call('tutorSummary', { params: { roomId } }, options);

  /** Returns the tokens that the tutor of a class used. */
  usage = (roomId: string, options?: RequestOptions) =>
    this.api.call('tutorUsage', { params: { roomId } }, options);

  /** Returns what each student’s questions in a room cost, by uid. */
  costs = (roomId: string, query: Query<'getTutorCosts'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('getTutorCosts', { params: { roomId }, query: { ...query, cursor } }, options), ({ students }) => students, ({ pagination }) => pagination.nextCursor);
}

export class WebhookEndpoints extends Resource {
  /** Registers a URL for webhooks. Only this response contains the secret that signs them. */
  create = (body: Body<'createWebhookEndpoint'>, options?: RequestOptions) =>
    this.api.call('createWebhookEndpoint', { body }, options);

  /** Returns the organization’s webhook endpoints, oldest first. */
  list = (options?: RequestOptions) =>
    this.api.call('listWebhookEndpoints', {}, options);

  /** Returns a webhook endpoint. */
  get = (endpointId: string, options?: RequestOptions) =>
    this.api.call('getWebhookEndpoint', { params: { endpointId } }, options);

  /** Changes, disables or enables a webhook endpoint. Omitted fields stay as they are. */
  update = (endpointId: string, body: Body<'updateWebhookEndpoint'>, options?: RequestOptions) =>
    this.api.call('updateWebhookEndpoint', { params: { endpointId }, body }, options);

  /** Deletes a webhook endpoint with its deliveries. */
  delete = (endpointId: string, options?: RequestOptions) =>
    this.api.call('deleteWebhookEndpoint', { params: { endpointId } }, options);

  /** Sends a ping event to a webhook endpoint. */
  test = (endpointId: string, options?: RequestOptions) =>
    this.api.call('testWebhookEndpoint', { params: { endpointId } }, options);

  /** Returns the deliveries to an endpoint in the last 30 days, newest first. */
  deliveries = (endpointId: string, query: Query<'listWebhookDeliveries'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listWebhookDeliveries', { params: { endpointId }, query: { ...query, cursor } }, options), ({ deliveries }) => deliveries, ({ nextCursor }) => nextCursor);

  /** Returns a delivery with the request body. */
  delivery = (endpointId: string, deliveryId: string, options?: RequestOptions) =>
    this.api.call('getWebhookDelivery', { params: { endpointId, deliveryId } }, options);

  /** Sends a delivery again, whether it had succeeded or failed. */
  replayDelivery = (endpointId: string, deliveryId: string, options?: RequestOptions) =>
    this.api.call('replayWebhookDelivery', { params: { endpointId, deliveryId } }, options);

  /** Sends failed or missed deliveries of an endpoint again, up to 10,000 per call. */
  replay = (endpointId: string, body: Body<'replayWebhooks'>, options?: RequestOptions) =>
    this.api.call('replayWebhooks', { params: { endpointId }, body }, options);

  /** Creates a new signing secret. The previous secret also signs for 24 hours. */
  rotateSecret = (endpointId: string, options?: RequestOptions) =>
    this.api.call('rotateWebhookSecret', { params: { endpointId } }, options);
}

export class Credentials extends Resource {
  /** Creates a further value for `VF-ORG-ID`. Only this response contains it. An API key cannot create credentials. */
  create = (body: Body<'createCredential'> = {}, options?: RequestOptions) =>
    this.api.call('createCredential', { body }, options);

  /** Returns the organization’s credentials for `VF-ORG-ID`, oldest first, without their values. */
  list = (options?: RequestOptions) =>
    this.api.call('listCredentials', {}, options);

  /** Revokes a credential immediately. The last one can be revoked by an operator only. */
  revoke = (credentialId: string, options?: RequestOptions) =>
    this.api.call('revokeCredential', { params: { credentialId } }, options);
}

export class ApiKeys extends Resource {
  /** Creates an API key. Only this response contains its secret. A key can grant no more scopes than it has itself. */
  create = (body: Body<'createApiKey'>, options?: RequestOptions) =>
    this.api.call('createApiKey', { body }, options);

  /** Returns the organization’s API keys, oldest first. */
  list = (options?: RequestOptions) =>
    this.api.call('listApiKeys', {}, options);

  /** Creates a new secret for an API key. The earlier secrets stay valid for a limited time. A key can rotate itself and the keys that it created. */
  rotate = (keyId: string, body: Body<'rotateApiKey'> = {}, options?: RequestOptions) =>
    this.api.call('rotateApiKey', { params: { keyId }, body }, options);

  /** Revokes an API key with all its secrets immediately, and the keys that it created, directly or through another one. */
  revoke = (keyId: string, query: Query<'revokeApiKey'> = {}, options?: RequestOptions) =>
    this.api.call('revokeApiKey', { params: { keyId }, query }, options);
}

export class DashboardTokens extends Resource {
  /** Creates a token for one person of the organization’s staff and its dashboard, for a link to the console. That of an API key expires no later than the key. */
  create = (body: Body<'issueDashboardToken'>, options?: RequestOptions) =>
    this.api.call('issueDashboardToken', { body }, options);

  /** Revokes all dashboard tokens of the organization immediately. Tokens created afterwards are valid. */
  revoke = (options?: RequestOptions) =>
    this.api.call('revokeDashboardTokens', {}, options);

  /** Ends a dashboard session of the organization immediately: its token is no longer valid. With a dashboard token, everyone may end their own session, and an OWNER each. */
  endSession = (sessionId: string, options?: RequestOptions) =>
    this.api.call('endDashboardSession', { params: { sessionId } }, options);

  /** Exchanges the code of a link to the console for the dashboard token. A code works once, within a minute of its creation. */
  exchange = (body: Body<'openDashboardSession'>, options?: RequestOptions) =>
    this.api.call('openDashboardSession', { body }, options);
}

export class Audit extends Resource {
  /** Returns who changed, recorded, removed or exported what in the organization, newest first. */
  list = (query: Query<'listAudit'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listAudit', { query: { ...query, cursor } }, options), ({ entries }) => entries, ({ pagination }) => pagination.nextCursor);
}

export class Privacy extends Resource {
  /** Erases the personal data of a participant or of a class, or everything of the organization. Once begun, this cannot be undone. Charges and sums stay, without the person. The erasure runs in the background: poll it until `COMPLETED`. */
  erase = (body: Body<'createErasure'>, options?: RequestOptions) =>
    this.api.call('createErasure', { body }, options);

  /** Returns an erasure, with its receipt when it is completed. */
  erasure = (erasureId: string, options?: RequestOptions) =>
    this.api.call('getErasure', { params: { erasureId } }, options);

  /** Cancels the erasure of the organization before its `beginsAt`, and opens the organization again. Only with `VF-ORG-ID`: an API key cannot cancel it. The erasure of a person or a class cannot be cancelled. */
  cancelErasure = (erasureId: string, options?: RequestOptions) =>
    this.api.call('cancelErasure', { params: { erasureId } }, options);

  /** Collects the data of a participant, of a class or of the whole organization in a ZIP file. The export runs in the background: poll it until `COMPLETED`. An organization has at most five unfinished exports. */
  export = (body: Body<'createExport'>, options?: RequestOptions) =>
    this.api.call('createExport', { body }, options);

  /** Returns an export, with a new address of its file when it is completed. */
  getExport = (exportId: string, options?: RequestOptions) =>
    this.api.call('getExport', { params: { exportId } }, options);
}
