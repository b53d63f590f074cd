import { Resources } from './resources.js';
import { type ClientOptions, Transport } from './transport.js';

/** The API, with one property per chapter of its reference. For backends only: its credentials are secrets. */
export class VirtualClassroom extends Resources {
  /** @throws TypeError if `baseUrl` is not a URL, or not exactly one credential is given */
  constructor(options: ClientOptions) {
    super(new Transport(options));
  }
}
