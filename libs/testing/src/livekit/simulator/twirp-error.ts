export type TwirpCode =
  | 'not_found'
  | 'unavailable'
  | 'unauthenticated'
  | 'malformed'
  | 'bad_route'
  | 'failed_precondition'
  | 'unknown'
  | 'internal';

const statusOf: Record<TwirpCode, number> = {
  not_found: 404,
  unavailable: 503,
  unauthenticated: 401,
  malformed: 400,
  bad_route: 404,
  failed_precondition: 412,
  unknown: 500,
  internal: 500,
};

/** A Twirp error as sent on the wire: `{code, msg}` with the HTTP status of the code. */
export class TwirpError extends Error {
  readonly status: number;

  constructor(
    readonly code: TwirpCode,
    message: string,
    readonly meta?: Record<string, string>,
  ) {
    super(message);
    this.name = 'TwirpError';
    this.status = statusOf[code];
  }
}

/** A refusal before Twirp, in plain text, as the authentication middleware and the signal endpoint answer. */
export class PlainError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'PlainError';
  }
}

// pkg/service/errors.go. The prefix is what 1.13.5 really sends (xtwirp.ToError first wraps a psrpc error as unknown).
export const roomNotFound = () => new TwirpError('not_found', 'twirp error unknown: requested room does not exist');
export const participantNotFound = () => new TwirpError('not_found', 'twirp error unknown: participant does not exist');
export const noResponse = () => new TwirpError('unavailable', 'twirp error unknown: no response from servers');
export const remoteUnmuteDisabled = () => new TwirpError('failed_precondition', 'twirp error unknown: remote unmute not enabled');
export const noNodeRecord = () => new TwirpError('unknown', 'could not find object');
export const permissionsDenied = () => new TwirpError('unauthenticated', 'permissions denied');
