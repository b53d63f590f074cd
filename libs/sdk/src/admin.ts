/* eslint-disable max-lines */
// Written by `npm run generate -- reference` from the contracts.
import type { Body, Query } from './operation.js';
import { Pages } from './pages.js';
import type { RequestOptions, Transport } from './transport.js';

class Resource {
  constructor(protected readonly api: Transport) {}
}

export class AdminResources extends Resource {
  readonly organizations = new Organizations(this.api);
  readonly joinHooks = new JoinHooks(this.api);
  readonly domains = new Domains(this.api);
  readonly credits = new Credits(this.api);
  readonly ledger = new Ledger(this.api);
  readonly statements = new Statements(this.api);
  readonly credentials = new Credentials(this.api);
  readonly apiKeys = new ApiKeys(this.api);
  readonly dashboardTokens = new DashboardTokens(this.api);
  readonly aiSettings = new AiSettings(this.api);
  readonly audit = new Audit(this.api);
  readonly system = new System(this.api);
  readonly deadLetters = new DeadLetters(this.api);
}

export class Organizations extends Resource {
  /** Creates an organization. */
  create = (body: Body<'createOrganization'>, options?: RequestOptions) =>
    this.api.call('createOrganization', { body }, options);

  /** Returns the organizations, newest first. */
  list = (query: Query<'listOrganizations'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listOrganizations', { query: { ...query, cursor } }, options), ({ organizations }) => organizations, ({ pagination }) => pagination.nextCursor);

  /** Returns an organization. */
  get = (organizationId: string, options?: RequestOptions) =>
    this.api.call('getOrganization', { params: { organizationId } }, options);

  /** Changes an organization. Omitted fields stay as they are. */
  update = (organizationId: string, body: Body<'updateOrganization'>, options?: RequestOptions) =>
    this.api.call('updateOrganization', { params: { organizationId }, body }, options);

  /** Closes an organization, and erases everything of it except its ledger at `beginsAt`, as `POST /v1/privacy/erasures` with `organization` does. Until then it can be cancelled. A repeated call returns the same erasure. */
  delete = (organizationId: string, options?: RequestOptions) =>
    this.api.call('deleteOrganization', { params: { organizationId } }, options);

  /** Uploads the logo of an organization, in place of the present one. */
  setLogo = (organizationId: string, body: Body<'setLogoForOrganization'>, options?: RequestOptions) =>
    this.api.call('setLogoForOrganization', { params: { organizationId }, body }, options);

  /** Removes the logo of an organization, uploaded or not. */
  deleteLogo = (organizationId: string, options?: RequestOptions) =>
    this.api.call('deleteLogoForOrganization', { params: { organizationId } }, options);

  /** Returns the erasure of a deleted organization, also after its row is gone, with the receipt when it is completed. */
  erasure = (organizationId: string, options?: RequestOptions) =>
    this.api.call('getOrganizationErasure', { params: { organizationId } }, options);

  /** Cancels the erasure of an organization before its `beginsAt`, and opens the organization again. */
  cancelErasure = (organizationId: string, options?: RequestOptions) =>
    this.api.call('cancelOrganizationErasure', { params: { organizationId } }, options);
}

export class JoinHooks extends Resource {
  /** Has the organization’s backend asked, with a signed request, before each participant joins. A hook that is changed keeps its secret; delete it first for a new one. */
  set = (organizationId: string, body: Body<'setJoinHook'>, options?: RequestOptions) =>
    this.api.call('setJoinHook', { params: { organizationId }, body }, options);

  /** Participants join without a question again. */
  delete = (organizationId: string, options?: RequestOptions) =>
    this.api.call('deleteJoinHook', { params: { organizationId } }, options);
}

export class Domains extends Resource {
  /** Adds a domain whose pages may embed classes once its owner has set the TXT record of the answer. The record is looked for on request, and every quarter of an hour for three days, then every day for thirty. */
  add = (organizationId: string, body: Body<'addDomain'>, options?: RequestOptions) =>
    this.api.call('addDomain', { params: { organizationId }, body }, options);

  /** Returns the verified domains, and those whose proof is awaited. */
  list = (organizationId: string, options?: RequestOptions) =>
    this.api.call('listDomainsForOrganization', { params: { organizationId } }, options);

  /** Looks for the TXT record of a domain now, and verifies the domain if it is there. */
  check = (organizationId: string, domain: string, options?: RequestOptions) =>
    this.api.call('checkDomainForOrganization', { params: { organizationId, domain } }, options);

  /** Removes a domain: pages on it can no longer embed classes. */
  remove = (organizationId: string, domain: string, options?: RequestOptions) =>
    this.api.call('removeDomain', { params: { organizationId, domain } }, options);
}

export class Credits extends Resource {
  /** Tops up an organization, or corrects its balance by a negative amount. A repeated reference counts once. */
  add = (organizationId: string, body: Body<'postCredits'>, options?: RequestOptions) =>
    this.api.call('postCredits', { params: { organizationId }, body }, options);

  /** Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid). */
  balance = (organizationId: string, options?: RequestOptions) =>
    this.api.call('getBalanceForOrganization', { params: { organizationId } }, options);
}

export class Ledger extends Resource {
  /** Returns every entry behind the balance, newest first. */
  list = (organizationId: string, query: Query<'listLedgerForOrganization'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listLedgerForOrganization', { params: { organizationId }, query: { ...query, cursor } }, options), ({ entries }) => entries, ({ pagination }) => pagination.nextCursor);

  /** Returns the sessions or the AI usage behind a charge and computes the charge again. */
  explain = (organizationId: string, entryId: string, options?: RequestOptions) =>
    this.api.call('explainEntryForOrganization', { params: { organizationId, entryId } }, options);
}

export class Statements extends Resource {
  /** Returns the closed postpaid cycles, newest first. */
  list = (organizationId: string, options?: RequestOptions) =>
    this.api.call('listStatementsForOrganization', { params: { organizationId } }, options);

  /** Returns a statement as a PDF file: totals by kind, and a line for each class. */
  pdf = (organizationId: string, statementId: string, query: Query<'getStatementPdfForOrganization'> = {}, options?: RequestOptions) =>
    this.api.pdf('getStatementPdfForOrganization', { params: { organizationId, statementId }, query }, options);
}

export class Credentials extends Resource {
  /** Creates a further value for `VF-ORG-ID`. Only this response contains it. An API key cannot create credentials. */
  create = (organizationId: string, body: Body<'createCredentialForOrganization'> = {}, options?: RequestOptions) =>
    this.api.call('createCredentialForOrganization', { params: { organizationId }, body }, options);

  /** Returns the organization’s credentials for `VF-ORG-ID`, oldest first, without their values. */
  list = (organizationId: string, options?: RequestOptions) =>
    this.api.call('listCredentialsForOrganization', { params: { organizationId } }, options);

  /** Revokes a credential of an organization immediately. After the last one, only API keys are accepted. */
  revoke = (organizationId: string, credentialId: string, options?: RequestOptions) =>
    this.api.call('revokeCredentialForOrganization', { params: { organizationId, credentialId } }, options);
}

export class ApiKeys extends Resource {
  /** Creates an API key. Only this response contains its secret. A key can grant no more scopes than it has itself. */
  create = (organizationId: string, body: Body<'createApiKeyForOrganization'>, options?: RequestOptions) =>
    this.api.call('createApiKeyForOrganization', { params: { organizationId }, body }, options);

  /** Returns the organization’s API keys, oldest first. */
  list = (organizationId: string, options?: RequestOptions) =>
    this.api.call('listApiKeysForOrganization', { params: { organizationId } }, options);

  /** Revokes an API key with all its secrets immediately, and the keys that it created, directly or through another one. */
  revoke = (organizationId: string, keyId: string, query: Query<'revokeApiKeyForOrganization'> = {}, options?: RequestOptions) =>
    this.api.call('revokeApiKeyForOrganization', { params: { organizationId, keyId }, query }, options);
}

export class DashboardTokens extends Resource {
  /** Creates a token for one person of the organization’s staff and its dashboard, for a link to the console. That of an API key expires no later than the key. */
  create = (organizationId: string, body: Body<'issueDashboardTokenForOrganization'>, options?: RequestOptions) =>
    this.api.call('issueDashboardTokenForOrganization', { params: { organizationId }, body }, options);

  /** Revokes all dashboard tokens of the organization immediately. Tokens created afterwards are valid. */
  revoke = (organizationId: string, options?: RequestOptions) =>
    this.api.call('revokeDashboardTokensForOrganization', { params: { organizationId } }, options);

  /** Ends a dashboard session of the organization immediately: its token is no longer valid. With a dashboard token, everyone may end their own session, and an OWNER each. */
  endSession = (organizationId: string, sessionId: string, options?: RequestOptions) =>
    this.api.call('endDashboardSessionForOrganization', { params: { organizationId, sessionId } }, options);
}

export class AiSettings extends Resource {
  /** Returns the organization’s own models and prices; null where the installation’s settings apply. */
  get = (organizationId: string, options?: RequestOptions) =>
    this.api.call('getAiSettings', { params: { organizationId } }, options);

  /** Changes the organization’s own models and prices. */
  update = (organizationId: string, body: Body<'updateAiSettings'>, options?: RequestOptions) =>
    this.api.call('updateAiSettings', { params: { organizationId }, body }, options);
}

export class Audit extends Resource {
  /** Returns the entries of all organizations and of the operators, newest first. */
  list = (query: Query<'listAuditOfAll'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listAuditOfAll', { query: { ...query, cursor } }, options), ({ entries }) => entries, ({ pagination }) => pagination.nextCursor);
}

export class System extends Resource {
  /** Asks all processes for their version, their queues and consumers, and recorders for their slots. */
  get = (options?: RequestOptions) =>
    this.api.call('getSystem', {}, options);
}

export class DeadLetters extends Resource {
  /** Returns the messages that consumers gave up, newest first. */
  list = (query: Query<'listDeadLetters'> = {}, options?: RequestOptions) =>
    new Pages((cursor = query.cursor) => this.api.call('listDeadLetters', { query: { ...query, cursor } }, options), ({ deadLetters }) => deadLetters, ({ pagination }) => pagination.nextCursor);

  /** Returns a message that a consumer gave up. */
  get = (deadLetterId: string, options?: RequestOptions) =>
    this.api.call('getDeadLetter', { params: { deadLetterId } }, options);

  /** Deletes the message. This cannot be undone. */
  discard = (deadLetterId: string, options?: RequestOptions) =>
    this.api.call('discardDeadLetter', { params: { deadLetterId } }, options);

  /** Publishes the message again on its subject, and deletes the dead letter. Consumers that have applied it recognize its id and do nothing. If it fails again, it becomes another dead letter. */
  replay = (deadLetterId: string, options?: RequestOptions) =>
    this.api.call('replayDeadLetter', { params: { deadLetterId } }, options);
}
