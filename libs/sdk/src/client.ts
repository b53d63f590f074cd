import { Agent, Tutor } from './resources/ai.js';
import { ApiKeys } from './resources/api-keys.js';
import { Recordings } from './resources/recordings.js';
import { Rooms } from './resources/rooms.js';
import { Billing, Participants } from './resources/usage.js';
import { Videos } from './resources/videos.js';
import { Events, WebhookEndpoints } from './resources/webhooks.js';
import { type ClientOptions, type RequestOptions, Transport } from './transport.js';

/** The API, by the chapters of its reference. For backends: its credentials are secrets. */
export class VirtualClassroom {
  readonly rooms: Rooms;
  readonly recordings: Recordings;
  readonly videos: Videos;
  readonly billing: Billing;
  readonly participants: Participants;
  readonly agent: Agent;
  readonly tutor: Tutor;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly events: Events;
  readonly apiKeys: ApiKeys;
  /** Whether the service can be used. */
  readonly health: (options?: RequestOptions) => ReturnType<typeof healthOf>;

  /** @throws TypeError where `baseUrl` is no URL */
  constructor(options: ClientOptions) {
    const api = new Transport(options);
    this.rooms = new Rooms(api);
    this.recordings = new Recordings(api);
    this.videos = new Videos(api);
    this.billing = new Billing(api);
    this.participants = new Participants(api);
    this.agent = new Agent(api);
    this.tutor = new Tutor(api);
    this.webhookEndpoints = new WebhookEndpoints(api);
    this.events = new Events(api);
    this.apiKeys = new ApiKeys(api);
    this.health = (request) => healthOf(api, request);
  }
}

const healthOf = (api: Transport, options?: RequestOptions) => api.call('getHealth', {}, options);
