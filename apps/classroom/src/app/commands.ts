import type { Bridge } from '../embed/bridge.js';
import type { Command } from '../embed/command.js';
import type { Device } from '../media/devices.js';
import type { Visit } from './visit.js';

const NEEDS_GESTURE =
  'Browsers let a page share a screen only after a click or key press inside of it, or refused it: ask the user to press Share in the classroom';

/** Carries out the host page's commands. A refusal states its reason, for developers. */
export function obey(bridge: Bridge, visit: Visit): void {
  bridge.onCommand(async (...command: Command) => {
    const [name, args] = command;
    if (name === 'leave') {
      requireClass(visit);
      return visit.leave();
    }
    if (name === 'set_layout') {
      visit.app.set({ layout: args.layout, pinned: undefined });
      return undefined;
    }
    requireClass(visit);
    switch (name) {
      case 'set_microphone':
        return setDevice(visit, 'microphone', args.enabled);
      case 'set_camera':
        return setDevice(visit, 'camera', args.enabled);
      case 'start_screen_share':
        return share(visit);
      case 'raise_hand':
        return raiseHand(visit, args.raised);
    }
  });
}

function requireClass(visit: Visit): void {
  const { state } = visit.app.get();
  if (state !== 'connected') throw new Error(`Not connected: the classroom's state is ${state}`);
}

async function setDevice(visit: Visit, device: Device, isOn: boolean): Promise<void> {
  if (isOn && !visit.mayUse(device)) throw new Error(`Your role does not allow a ${device}`);
  if (await visit.devices.set(device, isOn)) return;
  throw new Error(`The ${device} can't be used: ${visit.devices.hindrance(device) ?? 'failed'}`);
}

async function share(visit: Visit): Promise<void> {
  if (!visit.sessions.current?.permissions.shareScreen) throw new Error('Your role does not allow to share a screen');
  try {
    await visit.screen.start();
  } catch (cause) {
    // A user gesture in the host page does not count in this page, unless the browser lets the host delegate it.
    const needsGesture = cause instanceof DOMException && ['InvalidStateError', 'NotAllowedError'].includes(cause.name);
    throw needsGesture ? new Error(NEEDS_GESTURE, { cause }) : cause;
  }
}

async function raiseHand(visit: Visit, isUp: boolean): Promise<void> {
  const self = visit.sessions.current?.participant;
  if (self) await visit.classStore.raiseHand(isUp, self);
}
