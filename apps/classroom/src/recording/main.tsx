import '@fontsource-variable/figtree/wght.css';
import '@classroom/page/tokens.css';
import '@classroom/page/base.css';
import './recording.css';
import { setLogLevel } from 'livekit-client';
import { createRoot } from 'react-dom/client';
import { installCapture } from './capture/install.js';
import { loadLiveKit } from '../media/livekit.js';
import { Recorder } from './recorder.js';
import { readQuery } from './query.js';
import { RecordingPage } from './RecordingPage.js';
import { startI18n } from './i18n.js';

setLogLevel('error');
document.documentElement.dataset['theme'] = 'dark';

void Promise.all([startI18n(), loadLiveKit()]).then(() => {
  installCapture();
  const query = readQuery(location.search, location.hash);
  const recorder = new Recorder(query);
  createRoot(document.querySelector('#recording') ?? document.body).render(<RecordingPage recorder={recorder} query={query} />);
  window.addEventListener('pagehide', () => recorder.close());
  return recorder.start();
});
