/** The NATS connection of the process. */
export const NATS = Symbol('NATS');
/** The JetStream client of that connection. */
export const JETSTREAM = Symbol('JETSTREAM');
