/**
 * Tests with browsers, calls or films. A page encodes and draws as long as it is open, so two of them side by side need twice the processor
 * time for the same work, and films lose frames. They run one after another, next to all other files.
 */
export const IN_REAL_TIME = [
  'apps/recorder/test/recording.it',
  'test/system/recording',
  'test/chaos/rolling-captures',
  'test/system/page-outages',
  'test/system/embed',
  'test/system/embed-package',
  'test/system/video/video-hostile',
  'test/system/classroom-tutor',
  'test/system/page',
  'test/system/classroom',
  'test/chaos/recording-faults',
  'test/system/video/video',
  'test/docs/site',
  'test/system/recording-conformance',
  'test/system/recording-api',
  'test/system/classroom-look',
  'test/system/notifications-page',
  'apps/recorder/test/images.it',
  'test/system/cli',
  'test/system/console',
  'test/system/console-year',
  'test/system/console-operator',
  'test/system/recording-parts',
  'test/system/engagement',
  'test/system/schedule-page',
  'test/system/waiting-room-page',
  'test/system/permissions-page',
  'test/system/chat-page',
  'test/system/consent-page',
  'test/system/consent',
  'test/system/setup-page',
];

/** The other files that run for a minute or more. */
const SLOW = [
  'test/reference/schemathesis',
  'test/system/polled-statements',
  'test/system/sandbox',
  'test/system/quickstarts',
  'test/chaos/rolling-jobs',
  'apps/recording/test/watchdog.it',
  'test/chaos/rolling-restart',
  'apps/recording/test/retention.it',
  'test/chaos/crashes',
  'libs/testing/test/livekit-conformance.it',
  'apps/room/test/presence.it',
  'test/system/ai/errors',
  'apps/room/test/outage.it',
  'apps/media/test/uploads.it',
  'apps/media/test/delivery.it',
  'test/system/metrics',
  'test/chaos/full-disk',
  'apps/room/test/large-numbers.it',
];

/**
 * The files that start first, so that no worker is left with one of them at the end of the run: a clean clone has no record of earlier
 * runs, and jest would start the largest files first.
 */
export const FIRST = [...IN_REAL_TIME, ...SLOW];

/** Where the other files are. The groups become shorter, so that the lanes end at about the same time. */
const FOLDERS = [
  'test/system/',
  'test/(chaos|reference)/',
  'apps/(room|recording)/',
  'apps/(billing|media)/',
  'libs/messaging/',
  'apps/(gateway|recorder)/',
  'libs/(?!messaging/)',
  'apps/(ai|organization)/',
];

const inRealTime = `(${IN_REAL_TIME.join('|').replaceAll('.it', '\\.it')})\\.spec\\.ts$`;

/**
 * What each run of jest takes, as patterns for paths in the repository: the files in real time, then the others folder by folder, and what is
 * in none of these folders. Jest tries them with absolute paths too, which begin with a slash.
 */
export const GROUPS = [inRealTime, ...FOLDERS, `(?!${FOLDERS.join('|')})`].map(
  (paths, at) => `^(?!/)${at > 0 ? `(?!${inRealTime})` : ''}(${paths})`,
);
