/**
 * Programs in the pages that can't run on this machine. Each is replaced by a script that only records how it was called, and
 * `support/calls.ts` checks the calls against this repository. Everything else in the pages is executed as written.
 */
export const NOT_HERE: Record<string, { why: string; instead: string }> = {
  docker: { why: 'there is no engine', instead: 'files, services, profiles, images and arguments exist' },
  kubectl: { why: 'there is no cluster', instead: 'every object is one that the chart renders, every secret and key one that it reads' },
  helm: { why: 'there is no cluster', instead: 'the same chart, names and values are rendered by the real helm' },
  sudo: { why: "the machine is not the test's", instead: 'the unit is the one that the page writes' },
  journalctl: { why: 'systemd does not run it', instead: 'the unit is the one that the page writes' },
  pg_dump: {
    why: "the launcher's Postgres brings none, Debian 12's refuses a newer server",
    instead: "its options are of Postgres's manual",
  },
  pg_dumpall: { why: 'the same', instead: 'the same' },
  pg_restore: { why: 'the same', instead: 'the same' },
  psql: { why: "it is the reader's to bring", instead: "queries are asked by the apps' driver; what reads a dump is noted" },
  aws: { why: "the bucket is its operator's", instead: 'its commands, and the files that they read' },
  'npm test': { why: 'it is what runs this, for an hour', instead: 'the script exists' },
  'npm run audit': { why: 'the package registry may offer no advisories', instead: 'the script exists' },
  'npm install': { why: 'test/system/quickstarts.spec.ts runs these commands', instead: 'the archive is one of a package in libs' },
  pip: { why: 'the same', instead: 'the same' },
};

/** Programs that are always replaced. `npm` is replaced only for two commands. */
export const wholly = Object.keys(NOT_HERE).filter((name) => !name.includes(' '));
