/** The kind of a failure, independent of the transport. The HTTP status, the RPC reply and ack/nak/term are derived from it. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'payment'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported'
  | 'precondition'
  | 'rate_limited'
  | 'internal'
  | 'unavailable';

export const HTTP_STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  payment: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported: 415,
  precondition: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

export interface ErrorTexts {
  kind: ErrorKind;
  message: string;
  /** For the API reference: when the error occurs, and what the caller can do. */
  when: string;
  advice: string;
}
