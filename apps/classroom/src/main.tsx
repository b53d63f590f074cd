import '@fontsource-variable/figtree/wght.css';
import '@classroom/page/tokens.css';
import '@classroom/page/base.css';
// The styles of panels come before those of the features, and these before those of the frame and the controls.
import './shell/panels.css';
import { FEATURES } from './features.js';
import './shell/class.css';
import { createRoot } from 'react-dom/client';
import { App } from './shell/App.js';
import { createAppStore } from './app/app-store.js';
import { ClassroomContext } from './app/context.js';
import { FeaturesContext } from './app/feature.js';
import { mirrorStateToRoot, keepScreenAwake } from './app/root.js';
import { ClassroomController } from './app/classroom-controller.js';
import { loadLiveKit } from './media/livekit.js';
import { startI18n } from './i18n/index.js';
import panels from './i18n/panels.en.json';
import { takeJoinToken } from './session/tokens.js';
import { SessionClient } from './session/session.js';

const joinToken = takeJoinToken(window);
const app = createAppStore();
const classroom = new ClassroomController(
  new SessionClient(joinToken),
  joinToken,
  app,
  FEATURES.flatMap(({ Part }) => Part ?? []),
);
mirrorStateToRoot(app, classroom.people);
keepScreenAwake(app);

window.addEventListener('pagehide', () => classroom.disconnect());
// A page restored from the browser's cache, or opened with another token, starts a new visit.
window.addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
window.addEventListener('hashchange', () => location.reload());

const language = new URLSearchParams(location.hash.slice(1)).get('lang');
// A top-level await would make the bundler split the shared code into more files, which enlarges the first load.
void startI18n(language ? [language] : navigator.languages, { panels }).then(() => {
  createRoot(document.querySelector('#classroom') ?? document.body).render(
    <ClassroomContext value={classroom}>
      <FeaturesContext value={FEATURES}>
        <App />
      </FeaturesContext>
    </ClassroomContext>,
  );
  const started = classroom.start();
  // While the service answers. After a failure, what needs it requests it again.
  loadLiveKit().then(
    // It logs an error for every channel that closes when a class ends. The page learns about real failures by events.
    ({ setLogLevel }) => setLogLevel('silent'),
    () => undefined,
  );
  return started;
});
