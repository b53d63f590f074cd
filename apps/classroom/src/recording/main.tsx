import '@fontsource-variable/figtree/wght.css';
import '@classroom/page/tokens.css';
import '@classroom/page/base.css';
import './recording.css';
import { setLogLevel } from 'livekit-client';
import { createRoot } from 'react-dom/client';
import { loadLiveKit } from '../media/livekit.js';
import { Recorder } from './recorder.js';
import { readQuery } from './query.js';
import { RecordingPage } from './RecordingPage.js';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { RunningCapture } from './capture/protocol.js';

setLogLevel('error');
document.documentElement.dataset['theme'] = 'dark';

/** The texts of the stage and its tiles in a recording. */
const TEXTS = {
  stage: { label: 'Recording' },
  tile: {
    you: '{{name}}',
    screen: '{{name}}’s screen',
    muted: 'Muted',
    hand: 'Hand raised',
    poor: 'Poor connection',
    waiting: 'Waiting for the picture',
  },
};

export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    defaultNS: 'core',
    resources: { en: { core: TEXTS } },
    interpolation: { escapeValue: false },
  });
}

/**
 * Installs the functions with which our recorder captures this page; the capture code is loaded on the first call. LiveKit
 * Egress captures from outside and does not call them.
 */
export function installCapture(): void {
  let running: Promise<RunningCapture> | undefined;
  window.startCapture = async (options) => {
    const sink = window.captureSink;
    if (!sink) throw new Error('no sink takes the captured media');
    running = import('./capture/capture.js').then(({ startCapture }) => startCapture(document.body, options, sink));
    await running;
  };
  window.stopCapture = async () => {
    await (await running)?.stop();
  };
}

void Promise.all([startI18n(), loadLiveKit()]).then(() => {
  installCapture();
  const query = readQuery(location.search, location.hash);
  const recorder = new Recorder(query);
  createRoot(document.querySelector('#recording') ?? document.body).render(<RecordingPage recorder={recorder} query={query} />);
  window.addEventListener('pagehide', () => recorder.close());
  return recorder.start();
});
