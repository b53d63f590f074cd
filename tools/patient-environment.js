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
    if (event.name === 'test_done') for (const error of event.test.errors.flat()) makeWritable(error);
  }
};

/** What jest's report can't write (a client's error with its request and answer in circles) would cost the whole report. @param {any} error */
function makeWritable(error) {
  if (error === null || typeof error !== 'object') return;
  try {
    JSON.stringify(error);
  } catch {
    for (const name of Object.keys(error)) delete error[name];
  }
}
