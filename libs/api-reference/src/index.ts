export * from './async-api.js';
export * from './open-api.js';
export * from './order.js';
