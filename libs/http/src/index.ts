export * from './allowed-origins.js';
export * from './connection-limits.js';
export * from './cors.js';
export * from './request-context.js';
export * from './failures.js';
export * from './idle-connections.js';
export * from './lifecycle.js';
export * from './network.js';
