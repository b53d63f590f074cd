import type { Body } from '../operation.js';
import type { RequestOptions, Transport } from '../transport.js';

/** Secrets beside the organization's id, each with scopes of its own. */
export class ApiKeys {
  constructor(private readonly api: Transport) {}

  /** The answer alone shows the secret. */
  create = (key: Body<'createApiKey'>, options?: RequestOptions) => this.api.call('createApiKey', { body: key }, options);

  list = (options?: RequestOptions) => this.api.call('listApiKeys', {}, options);

  /** A new secret; those before it go on for `graceSeconds`. */
  rotate = (keyId: string, how: Body<'rotateApiKey'> = {}, options?: RequestOptions) =>
    this.api.call('rotateApiKey', { params: { keyId }, body: how }, options);

  /** Ends it at once, with all its secrets. */
  revoke = (keyId: string, options?: RequestOptions) => this.api.call('revokeApiKey', { params: { keyId } }, options);
}
