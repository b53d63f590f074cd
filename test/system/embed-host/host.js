import { createElement, createRef, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { defineVirtualClassroom, EVENT_TYPES } from '@virtual-classroom/embed';
import { HeadlessClassroom } from '@virtual-classroom/embed/headless';
import { VirtualClassroom } from '@virtual-classroom/embed/react';

const place = document.querySelector('#place');
/** Messages with a classroom's source from any origin, as the browser delivered them. */
const messages = [];
/** Events that the package's element or component emitted. */
const events = [];
/** Events of the headless client. */
const headlessEvents = [];
let classroom;

window.addEventListener('message', ({ origin, data }) => {
  if (data?.source === 'virtual-classroom') messages.push({ origin, ...data });
});

function showElement(src) {
  defineVirtualClassroom();
  defineVirtualClassroom();
  const element = document.createElement('virtual-classroom');
  for (const type of EVENT_TYPES) {
    element.addEventListener(type, ({ detail, envelope }) => events.push({ type, data: detail, seq: envelope.seq }));
  }
  element.src = src;
  element.title = 'Geometry';
  place.replaceChildren(element);
  classroom = element;
}

let root;
function showReact(src, by = 'first') {
  const ref = createRef();
  const hear =
    (type) =>
    (data, { seq }) =>
      events.push({ type, data, seq, by });
  root ??= createRoot(place);
  root.render(
    createElement(
      StrictMode,
      {},
      createElement(VirtualClassroom, {
        src,
        ref: (handle) => {
          classroom = handle ?? undefined;
          ref.current = handle;
        },
        title: 'Geometry',
        onConnected: hear('connected'),
        onDisconnected: hear('disconnected'),
        onParticipantJoined: hear('participant_joined'),
        onStateChanged: hear('state_changed'),
      }),
    ),
  );
}

async function startHeadless(options) {
  const headless = new HeadlessClassroom(options);
  const types = [
    'connected',
    'disconnected',
    'participant_joined',
    'participant_left',
    'class_ended',
    'participant_removed',
    'recording_started',
    'recording_stopped',
    'quality_changed',
    'connection_quality_changed',
  ];
  for (const type of types) headless.on(type, (data) => headlessEvents.push({ type, data }));
  for (const type of ['trackSubscribed', 'trackUnsubscribed']) {
    headless.on(type, ({ uid, source, track }) => {
      if (type === 'trackSubscribed') place.append(track.attach());
      headlessEvents.push({ type, data: { uid, source, kind: track.kind } });
    });
  }
  window.headless = headless;
  await headless.connect();
}

/** For tests only: posts an arbitrary message to the classroom, as any page could. */
function post(message, targetOrigin) {
  document.querySelector('iframe').contentWindow.postMessage(message, targetOrigin);
}

window.host = {
  messages,
  events,
  headlessEvents,
  showElement,
  showReact,
  startHeadless,
  post,
  clear: () => {
    root?.unmount();
    root = undefined;
    place.replaceChildren();
  },
  command: async (name, ...args) => {
    try {
      await classroom[name](...args);
      return 'done';
    } catch (error) {
      return `refused: ${error.message}`;
    }
  },
};
