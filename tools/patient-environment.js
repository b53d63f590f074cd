'use strict';

const { TestEnvironment } = require('jest-environment-node');

/** As `patience` in libs/testing: the times in tests are for a quiet machine. */
const SLOWNESS = 4;

/** Gives tests and hooks longer than they ask for, where neighbours share the machine. */
module.exports = class PatientEnvironment extends TestEnvironment {
  /** @param {any} event @param {any} state of jest-circus */
  handleTestEvent(event, state) {
    if (event.name === 'run_start') state.testTimeout *= SLOWNESS;
    if (event.name === 'test_start' && event.test.timeout) event.test.timeout *= SLOWNESS;
    if (event.name === 'hook_start' && event.hook.timeout && !event.hook.isPatient) {
      event.hook.timeout *= SLOWNESS;
      // One before each test is started again and again.
      event.hook.isPatient = true;
    }
  }
};
