/** Transactions and statements, without TypeORM: the gateway and the recorder load the messaging library and have no database. */
export * from './database.js';
export * from './errors.js';
export * from './known-months.js';
export * from './organization-rows.js';
export * from './page-cursor.js';
export * from './statements.js';
