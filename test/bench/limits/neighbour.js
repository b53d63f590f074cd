'use strict';

// Organizations that ask for a room's status at an even pace, whatever others do. Told { urls, organizations, seconds }, it answers
// { times, failed }: milliseconds of each request, and how many were not answered 200.
const http = require('node:http');
const { evenly } = require('./pace');

const PER_SECOND = 100;

const agent = new http.Agent({ keepAlive: true });

/** @param {string} url @param {string} organizationId @returns {Promise<{ ms: number, isGood: boolean }>} */
function ask(url, organizationId) {
  const begun = performance.now();
  return new Promise((resolve) => {
    const done = (/** @type {boolean} */ isGood) => resolve({ ms: performance.now() - begun, isGood });
    const request = http.get(`${url}/v1/room/class/status`, { agent, headers: { 'VF-ORG-ID': organizationId } }, (response) => {
      response.resume().once('end', () => done(response.statusCode === 200)).once('error', () => done(false));
    });
    request.once('error', () => done(false));
  });
}

/** @param {{ urls: string[], organizations: string[], seconds: number }} work */
async function measure({ urls, organizations, seconds }) {
  const answers = await evenly({ seconds, perSecond: PER_SECOND }, (n) => ask(urls[n % urls.length], organizations[n % organizations.length]));
  return { times: answers.map(({ ms }) => ms), failed: answers.filter(({ isGood }) => !isGood).length };
}

process.on('message', async (work) => process.send?.(await measure(/** @type {any} */ (work))));
process.once('disconnect', () => process.exit());
process.send?.('ready');
