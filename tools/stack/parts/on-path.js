'use strict';

const fs = require('node:fs');
const path = require('node:path');

/**
 * What the variable names, or the first of these names on the PATH.
 * @param {string} variable @param {string[]} names @param {NodeJS.ProcessEnv} [env] @returns {string | undefined}
 */
function findOnPath(variable, names, env = process.env) {
  if (env[variable]) return env[variable];
  const folders = (env.PATH ?? '').split(path.delimiter);
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find((file) => fs.existsSync(file));
}

module.exports = { findOnPath };
