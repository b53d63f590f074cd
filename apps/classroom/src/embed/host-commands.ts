import type { Bridge } from './bridge.js';
import type { Command } from './commands.js';
import type { Device } from '../media/devices.js';
import type { ClassroomController } from '../app/classroom-controller.js';
import { OwnDevices, ScreenShare } from '../devices/own-devices.js';
import { Hands } from '../reactions/hands.js';

declare module '../app/app-store.js' {
  interface AppState {
    /** What the host page asked to turn on, until the participant accepts or dismisses it. */
    hostRequest?: { device: Device; host: string } | undefined;
  }
}

const NEEDS_GESTURE =
  'Browsers let a page share a screen only after a click or key press inside of it, or refused it: ask the user to press Share in the classroom';

/** Carries out the host page's commands. A refusal states its reason, for developers. */
export function handleHostCommands(bridge: Bridge, classroom: ClassroomController): void {
  bridge.onCommand(async (...command: Command) => {
    const [name, args] = command;
    if (name === 'leave') {
      requireConnected(classroom);
      return classroom.leave();
    }
    if (name === 'set_layout') {
      classroom.app.set({ layout: args.layout, pinned: undefined });
      return undefined;
    }
    requireConnected(classroom);
    switch (name) {
      case 'set_microphone':
        return setDevice(classroom, { device: 'microphone', isOn: args.enabled, host: bridge.hostName });
      case 'set_camera':
        return setDevice(classroom, { device: 'camera', isOn: args.enabled, host: bridge.hostName });
      case 'start_screen_share':
        return startScreenShare(classroom);
      case 'raise_hand':
        return classroom.get(Hands).raise(args.raised);
    }
  });
}

function requireConnected(classroom: ClassroomController): void {
  const { state } = classroom.app.get();
  if (state !== 'connected') throw new Error(`Not connected: the classroom's state is ${state}`);
}

async function setDevice(
  classroom: ClassroomController,
  { device, isOn, host }: { device: Device; isOn: boolean; host: string },
): Promise<void> {
  const devices = classroom.get(OwnDevices);
  if (isOn && !devices.mayUse(device)) throw new Error(`Your role does not allow a ${device}`);
  if (isOn && !devices.wasUsed(device)) return askParticipant(classroom, device, host);
  if (await devices.set(device, isOn)) return;
  throw new Error(`The ${device} can't be used: ${devices.deviceError(device) ?? 'failed'}`);
}

/**
 * Asks the participant to turn on a device that was not on during this stay. The host page, or a script that was injected into it, cannot turn it
 * on itself, even if the browser no longer asks.
 * @throws {Error} always: the participant may answer after the host has stopped waiting
 */
function askParticipant({ app, toasts }: ClassroomController, device: Device, host: string): never {
  app.set({ hostRequest: { device, host } });
  toasts.announce({ key: `hostRequest.${device}`, values: { host } });
  throw new Error(`The ${device} was not on yet: the classroom asks the participant to turn it on`);
}

async function startScreenShare(classroom: ClassroomController): Promise<void> {
  if (!classroom.sessions.current?.permissions.shareScreen) throw new Error('Your role does not allow to share a screen');
  try {
    await classroom.get(ScreenShare).start();
  } catch (cause) {
    // A user gesture in the host page does not count in this page, unless the browser lets the host delegate it.
    const needsGesture = cause instanceof DOMException && ['InvalidStateError', 'NotAllowedError'].includes(cause.name);
    throw needsGesture ? new Error(NEEDS_GESTURE, { cause }) : cause;
  }
}
