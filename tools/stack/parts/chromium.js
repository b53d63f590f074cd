'use strict';

const fs = require('node:fs');
const path = require('node:path');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** CHROMIUM_PATH, or one on the PATH. @param {NodeJS.ProcessEnv} [env] @returns {string | undefined} */
function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  const folders = (env.PATH ?? '').split(path.delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find((file) => fs.existsSync(file));
}

module.exports = { findChromium };
