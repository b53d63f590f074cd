'use strict';

const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { migrationProblems } = require('./migration-rules');
const { REPO } = require('./released');

/** Every `<folder>/migrations/*.sql`, in the order they run in. @returns {string[]} paths in the repository */
function migrationFiles() {
  const folders = ['libs', 'apps'].flatMap((group) => fs.readdirSync(path.join(REPO, group)).map((name) => path.posix.join(group, name, 'migrations')));
  const there = folders.filter((folder) => fs.existsSync(path.join(REPO, folder)));
  return there.flatMap((folder) => fs.readdirSync(path.join(REPO, folder)).filter((file) => file.endsWith('.sql')).sort().map((file) => path.posix.join(folder, file)));
}

const read = (/** @type {string} */ file) => fs.readFileSync(path.join(REPO, file), 'utf8');
const hashOf = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex');

/** @returns {Record<string, string>} */
const migrationHashes = () => Object.fromEntries(migrationFiles().map((file) => [file, hashOf(read(file))]));

/**
 * Released files that are not as they were released: those who ran them will not run them again.
 * @param {Record<string, string>} released @param {Record<string, string>} present @returns {string[]}
 */
const editedMigrations = (released, present) =>
  Object.entries(released)
    .filter(([file, hash]) => present[file] !== hash)
    .map(([file]) => `${file}: ${file in present ? 'was released and is another now' : 'was released and is gone'}. Put it back and write a new one.`);

/** @param {{ version: string, migrations: Record<string, string> }} release @returns {string[]} what new files must not do */
function newMigrationProblems({ version, migrations }) {
  const files = migrationFiles();
  return files.filter((file) => !(file in migrations)).flatMap((file) => {
    const earlier = files.filter((other) => path.dirname(other) === path.dirname(file) && other < file).map(read);
    return migrationProblems(read(file), { file, earlier, version });
  });
}

module.exports = { editedMigrations, migrationFiles, migrationHashes, newMigrationProblems };
