import { fromNdjson, fromServerSentEvents } from '../answers.js';
import type { Body, Query } from '../operation.js';
import { Pages } from '../pages.js';
import type { RequestOptions, Transport } from '../transport.js';

/** A model beside your product, with a memory for each `chatId`. */
export class Agent {
  constructor(private readonly api: Transport) {}

  /** The whole answer at once. */
  chat = (message: Body<'agentChat'>, options?: RequestOptions) => this.api.call('agentChat', { body: message }, options);

  /** The answer as it is made. Asked for by the first `next()`; leaving the loop hangs up. */
  stream = (message: Body<'agentChatStream'>, options?: RequestOptions) =>
    fromNdjson(this.api.stream('agentChatStream', { body: message }, options));

  /** What `voiceName` may be. */
  voices = (options?: RequestOptions) => this.api.call('listVoices', {}, options);

  /** Tokens and cost of agent and tutor. */
  usage = (range: Query<'getAiUsage'> = {}, options?: RequestOptions) => this.api.call('getAiUsage', { query: range }, options);
}

/** The organization's own id may be left out where the client has it. */
type Question = Omit<Body<'tutorChat'>, 'organizationId'> & { organizationId?: string };

/** A tutor for the students of a class. */
export class Tutor {
  constructor(private readonly api: Transport) {}

  /** The whole answer at once. */
  chat = (question: Question, options?: RequestOptions) => this.api.call('tutorChat', { body: this.whole(question) }, options);

  /** The answer as it is made. Asked for by the first `next()`; leaving the loop hangs up. */
  stream = (question: Question, options?: RequestOptions) =>
    fromServerSentEvents(this.api.stream('tutorChatStream', { body: this.whole(question) }, options));

  /** What the class asked. */
  summary = (roomId: string, options?: RequestOptions) => this.api.call('tutorSummary', { params: { roomId } }, options);

  usage = (roomId: string, options?: RequestOptions) => this.api.call('tutorUsage', { params: { roomId } }, options);

  /** What each student's questions cost, by uid. */
  costs = (roomId: string, query: Query<'getTutorCosts'> = {}, options?: RequestOptions) =>
    new Pages(
      (cursor = query.cursor) => this.api.call('getTutorCosts', { params: { roomId }, query: { ...query, cursor } }, options),
      ({ students }) => students,
      ({ pagination }) => pagination.nextCursor,
    );

  private whole(question: Question): Body<'tutorChat'> {
    return { organizationId: this.api.organizationId ?? '', ...question };
  }
}
