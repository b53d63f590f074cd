'use strict';

const fs = require('node:fs');
const path = require('node:path');

const REPO = path.resolve(__dirname, '..', '..');
const FOLDER = path.join(REPO, 'libs', 'contracts', 'released');
const KINDS = /** @type {const} */ (['rpc', 'events', 'jobs', 'http', 'messages', 'streams', 'consumers', 'errors']);

const read = (/** @type {string} */ name) => JSON.parse(fs.readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'));

/** @returns {import('./list-contracts').Contracts} those of the last release */
const releasedContracts = () => /** @type {any} */ (Object.fromEntries(KINDS.map((kind) => [kind, read(kind)])));

/** @returns {{ version: string, migrations: Record<string, string>, retired: Record<string, string> }} `migrations`: file → its hash */
const lastRelease = () => ({ ...read('release'), retired: read('retired') });

/** @param {string} name @param {unknown} content */
function write(name, content) {
  fs.mkdirSync(FOLDER, { recursive: true });
  fs.writeFileSync(path.join(FOLDER, `${name}.json`), `${JSON.stringify(sorted(content), undefined, 1)}\n`);
}

/** Keys in order, so that a difference is one of content. @param {any} value @returns {any} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

module.exports = { REPO, KINDS, lastRelease, releasedContracts, write };
