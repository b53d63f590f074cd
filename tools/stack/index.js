'use strict';

const { natsOptions } = require('./parts');
const { startParts, startStack } = require('./start');
const { pickPorts } = require('./ports');
const { wipeHome } = require('./wipe');
const { prepare } = require('./prepare');
const { provision } = require('./provision');
const { APPS } = require('./apps');
const { createApp, migrate } = require('./launch');
const { StackError } = require('./errors');

module.exports = { startParts, startStack, pickPorts, wipeHome, prepare, provision, createApp, migrate, natsOptions, APPS, StackError };
