import { setLogLevel } from 'livekit-client';
import './style.css';
import { SessionClient } from './session.js';
import { View } from './view.js';
import { Visit } from './visit.js';

setLogLevel('error');

const joinToken = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
const container = document.querySelector<HTMLElement>('#classroom') ?? document.body;

const view: View = new View(container, {
  join: (devices) => void visit.join(devices),
  again: () => void visit.again(),
  toggle: (device) => visit.toggle(device),
  leave: () => visit.leave(),
  endClass: () => void visit.endClass(),
  startSound: () => visit.startSound(),
});
const visit = new Visit(new SessionClient(joinToken), joinToken, view);

window.addEventListener('pagehide', () => visit.hangUp());
// Out of the browser's cache, or with another token, it is another visit.
window.addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
window.addEventListener('hashchange', () => location.reload());

if (joinToken) void visit.open();
else view.showOutcome('no-token');
