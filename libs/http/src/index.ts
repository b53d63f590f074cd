export * from './address-quota.js';
export * from './allowed-origins.js';
export * from './connection-limits.js';
export * from './request-context.js';
export * from './failures.js';
export * from './lifecycle.js';
