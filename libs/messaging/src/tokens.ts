/** The process's one NATS connection. */
export const NATS = Symbol('NATS');
/** Its JetStream client. */
export const JETSTREAM = Symbol('JETSTREAM');
