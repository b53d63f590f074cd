import type { Own } from './support/blocks.js';

/** What readers insert in place of a page's examples. @param found with the sid and traces of a class that was held here */
export const ofClass = (found: { sid: string; webhookTrace: string; loggedTrace: string }): Own => ({
  RM_BmIzdNJuzyUe1yK2: found.sid,
  '530096314ccac9abe883bdee7dde43b3': found.webhookTrace,
  '0ed0bac2a6a3455c86854a5d498a6cd3': found.loggedTrace,
  '<id of the log line>': found.sid,
  '<id>': found.sid,
  '<sid>': found.sid,
  '<app>': 'room',
  '<pod>': 'a-pod',
  '<n>': '1',
  '…': 'yours',
});

/** Values for the guide for one machine. They use `localhost`, so that a page with a hard-coded 127.0.0.1 fails. */
export const ofMachine = (at: { root: string; origin: string; address: string; gatewayPort: number; portBase: number }): Own => ({
  '<this repository>': at.origin,
  '/srv/classroom': at.root,
  '203.0.113.7': at.address,
  'http://127.0.0.1:8080': `http://localhost:${at.gatewayPort}`,
  'https://classroom.school.example': `http://localhost:${at.gatewayPort}`,
  'wss://livekit.school.example': `ws://localhost:${at.portBase + 4}`,
  'https://files.school.example': `http://localhost:${at.portBase + 7}`,
});
