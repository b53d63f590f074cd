import { AdminResources } from './admin.js';
import { type AdminOptions, Transport } from './transport.js';

/** The API for operators: organizations, credits, keys and models. For an operator's backend only. */
export class AdminClient extends AdminResources {
  /** @throws TypeError if `baseUrl` is not a URL */
  constructor(options: AdminOptions) {
    super(new Transport(options));
  }
}
