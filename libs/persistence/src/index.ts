export * from './data-source.js';
export * from './migrate.js';
export * from './persistence.module.js';
export * from './sql.js';
