import { Resources } from './resources.js';
import { type ClientOptions, Transport } from './transport.js';

/** The API, by the chapters of its reference. For backends: its credentials are secrets. */
export class VirtualClassroom extends Resources {
  /** @throws TypeError where `baseUrl` is no URL */
  constructor(options: ClientOptions) {
    super(new Transport(options));
  }
}
