'use strict';

const path = require('node:path');
const { createRequire } = require('node:module');

/** LiveKit's native client and the storage belong to packages that this one has only through others. */
const needs = (/** @type {'testing' | 'storage'} */ library, /** @type {string} */ name) =>
  createRequire(path.join(__dirname, '..', '..', '..', 'libs', library, 'package.json'))(name);

module.exports = { needs };
