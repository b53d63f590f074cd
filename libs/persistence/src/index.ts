export * from './database.js';
export * from './errors.js';
export * from './migrate.js';
export * from './migrate-from-environment.js';
export * from './page-cursor.js';
export * from './persistence.module.js';
