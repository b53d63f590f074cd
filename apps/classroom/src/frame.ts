import { type Device } from './devices.js';
import { button, h, icon, type Icon } from './dom.js';
import type { ClassroomSession } from './session.js';
import { Tiles } from './tiles.js';

export interface FrameActions {
  toggle(device: Device): void;
  leave(): void;
  askToEnd(): void;
  startSound(): void;
}

interface Look {
  icon: Icon;
  label: string;
}

const LOOKS: Record<Device, { on: Look; off: Look }> = {
  microphone: { on: { icon: 'microphone', label: 'Mute' }, off: { icon: 'microphoneOff', label: 'Unmute' } },
  camera: { on: { icon: 'camera', label: 'Stop camera' }, off: { icon: 'cameraOff', label: 'Start camera' } },
};

/** The class itself: header, stage, line of notice, control bar. Nobody sees a control that they can't use. */
export class Frame {
  readonly tiles = new Tiles();
  private readonly title = h('h1', {});
  private readonly elapsed = h('span', { class: 'elapsed', role: 'timer', 'aria-label': 'Elapsed time' });
  private readonly count = h('span', {});
  private readonly notice = h('p', { class: 'notice', hidden: true });
  private readonly controls = h('div', { class: 'bar', role: 'toolbar', 'aria-label': 'Class controls' });
  private readonly devices = new Map<Device, HTMLButtonElement>();
  private readonly sound = button(
    { class: 'primary sound', hidden: true, 'data-action': 'sound' },
    () => this.actions.startSound(),
    icon('sound'),
    'Turn on sound',
  );
  readonly element = h(
    'div',
    { class: 'frame' },
    h('header', {}, this.title, this.elapsed, h('span', { class: 'people' }, icon('people'), this.count)),
    this.tiles.element,
    this.notice,
    this.sound,
    this.controls,
  );

  constructor(private readonly actions: FrameActions) {}

  setUp({ room, permissions }: ClassroomSession): void {
    this.title.textContent = room.title;
    this.devices.clear();
    if (permissions.publish && room.customization.showVideoControls) {
      for (const device of ['microphone', 'camera'] as const) {
        this.devices.set(device, button({ class: 'control', 'data-action': device }, () => this.actions.toggle(device)));
      }
    }
    const leave = button({ class: 'control danger', 'data-action': 'leave' }, () => this.actions.leave(), icon('leave'), label('Leave'));
    const end = button({ class: 'control danger quiet', 'data-action': 'end' }, () => this.actions.askToEnd(), icon('end'), label('End class'));
    end.setAttribute('aria-label', 'End class for all');
    this.controls.replaceChildren(...this.devices.values(), leave, ...(permissions.endClass ? [end] : []));
  }

  showDevices(isOn: (device: Device) => boolean): void {
    for (const [device, control] of this.devices) {
      const look = LOOKS[device][isOn(device) ? 'on' : 'off'];
      if (control.textContent === look.label) continue;
      control.replaceChildren(icon(look.icon), label(look.label));
      control.dataset['on'] = String(isOn(device));
    }
  }

  showCount(people: number): void {
    this.count.textContent = people > 0 ? `${people} ${people === 1 ? 'person' : 'people'}` : '';
  }

  showElapsed(milliseconds: number | undefined): void {
    this.elapsed.textContent = milliseconds === undefined ? '' : clock(milliseconds);
  }

  showNotice(text: string | undefined): void {
    this.notice.textContent = text ?? '';
    this.notice.hidden = !text;
  }

  showSoundBlocked(isBlocked: boolean): void {
    this.sound.hidden = !isBlocked;
  }
}

const label = (text: string) => h('span', {}, text);

function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
