import { DEVICES, type Device } from './devices.js';
import { button, h } from './dom.js';
import type { ClassroomSession } from './session.js';
import type { Outcome } from './states.js';

const DEVICE_NAMES: Record<Device, string> = { camera: 'Camera', microphone: 'Microphone' };

/** Before the class: what it is, how to enter, one button. Whoever may not publish is asked about no device. */
export function lobbyCard(session: ClassroomSession, onJoin: (devices: Device[]) => void): HTMLElement {
  const { room, participant, permissions, branding } = session;
  const choices = permissions.publish
    ? DEVICES.map((device) => [device, h('input', { type: 'checkbox', checked: true })] as const)
    : [];
  const chosen = () => choices.filter(([, box]) => box.checked).map(([device]) => device);
  return card(
    branding.logoUrl ? h('img', { class: 'logo', src: branding.logoUrl, alt: '' }) : undefined,
    heading(room.title),
    room.roomDescription ? h('p', {}, room.roomDescription) : undefined,
    h('p', { class: 'quiet' }, `You join as ${participant.name}.`),
    choices.length > 0
      ? h(
          'fieldset',
          {},
          h('legend', {}, 'Join with'),
          ...choices.map(([device, box]) => h('label', { class: 'choice' }, box, DEVICE_NAMES[device])),
        )
      : undefined,
    button({ class: 'primary', 'data-action': 'join' }, () => onJoin(chosen()), 'Join'),
  );
}

/** After the class, or instead of it: what happened, what to do. */
export function outcomeCard({ title, text, action }: Outcome, onAction: () => void, requestId?: string | null): HTMLElement {
  return card(
    heading(title),
    h('p', {}, text),
    action ? button({ class: 'primary', 'data-action': 'again' }, onAction, action) : undefined,
    requestId ? h('p', { class: 'small' }, `Request ${requestId}`) : undefined,
  );
}

/** Asks before the class ends for everyone; the browser's dialog keeps focus and Escape in hand. */
export function confirmEnd(people: number, onConfirm: () => void): HTMLDialogElement {
  const others = people - 1;
  const whom = others === 0 ? 'Nobody else is here.' : others === 1 ? 'One other person is here.' : `${others} other people are here.`;
  const dialog = h('dialog', { class: 'card', 'aria-labelledby': 'confirm-title' });
  const close = () => dialog.close();
  dialog.append(
    h('h2', { id: 'confirm-title' }, 'End class for all?'),
    h('p', {}, `${whom} The class ends for everybody and can’t be opened again.`),
    h(
      'div',
      { class: 'row' },
      button({ autofocus: true }, close, 'Go on teaching'),
      button({ class: 'danger', 'data-action': 'confirm-end' }, () => (close(), onConfirm()), 'End class for all'),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  return dialog;
}

const heading = (text: string) => h('h1', { tabindex: '-1' }, text);
const card = (...children: (Node | undefined)[]) => h('section', { class: 'card' }, ...children);
