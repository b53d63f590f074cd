'use strict';

const fs = require('node:fs');
const path = require('node:path');

/** With less than this a part that wants its next file (a segment of Postgres's log is 16 MiB) does not get it. */
const FULL_BYTES = 16 * 1024 ** 2;

/** @param {string} folder it or its nearest parent that exists */
function freeBytes(folder) {
  let at = folder;
  while (!fs.existsSync(at)) at = path.dirname(at);
  const { bavail, bsize } = fs.statfsSync(at);
  return bavail * bsize;
}

/** @param {any} error */
const saysDiskFull = (error) => ['ENOSPC', 'EDQUOT'].includes(error?.code);

/** @param {string} folder @param {unknown} [error] what failed there */
function isDiskFull(folder, error) {
  return saysDiskFull(error) || freeBytes(folder) < FULL_BYTES;
}

module.exports = { freeBytes, isDiskFull, saysDiskFull };
