import '@fontsource-variable/figtree/wght.css';
import '@classroom/page/tokens.css';
import '@classroom/page/base.css';
import './player.css';
import { createRoot } from 'react-dom/client';
import { PlayerContext, Player } from './player.js';
import { readLink } from './link.js';
import { PlayerPage } from './PlayerPage.js';
import { textsFor } from './texts.js';

const link = readLink(location.hash);
const { language, texts } = textsFor([...(link.language ? [link.language] : []), ...navigator.languages]);
document.documentElement.dataset['theme'] = 'dark';
document.documentElement.lang = language;
document.title = link.title || texts.player;

const player = new Player(link);
createRoot(document.querySelector('#player') ?? document.body).render(
  <PlayerContext value={{ player, texts, title: link.title }}>
    <PlayerPage />
  </PlayerContext>,
);
void player.load();
// A changed link in the same frame is another video.
window.addEventListener('hashchange', () => location.reload());
