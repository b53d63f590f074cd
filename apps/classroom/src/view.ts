import { confirmEnd, lobbyCard, outcomeCard } from './cards.js';
import { applyAccent } from './color.js';
import type { Person } from './connection.js';
import type { Device } from './devices.js';
import { h } from './dom.js';
import { Frame, type FrameActions } from './frame.js';
import type { ClassroomSession } from './session.js';
import { OUTCOMES, type Reason, type State } from './states.js';

const NOTICE_MS = 8_000;

export interface Actions extends Pick<FrameActions, 'toggle' | 'leave' | 'startSound'> {
  join(devices: Device[]): void;
  again(): void;
  endClass(): void;
}

/** All that is seen. Its state stands on the root element, for the style sheet, embedding tests and assistive tools. */
export class View {
  private readonly root = document.documentElement;
  private readonly live = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  private readonly frame: Frame;
  private people = 0;
  /** What is going on, and over it for a while what went wrong. */
  private line: string | undefined;
  private passing: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly container: HTMLElement,
    private readonly actions: Actions,
  ) {
    this.frame = new Frame({ ...actions, askToEnd: () => this.askToEnd() });
    document.body.append(this.live);
    document.addEventListener('keydown', (event) => this.onKey(event));
  }

  get tiles() {
    return this.frame.tiles;
  }

  setState(state: State, reason?: Reason): void {
    this.root.dataset['state'] = state;
    if (reason) this.root.dataset['reason'] = reason;
    else delete this.root.dataset['reason'];
    this.frame.element.setAttribute('aria-busy', String(state === 'connecting' || state === 'reconnecting'));
  }

  /** The room's look and words, before anything of it is shown. */
  dress(session: ClassroomSession): void {
    const { theme } = session.room.customization;
    if (theme === 'auto') delete this.root.dataset['theme'];
    else this.root.dataset['theme'] = theme;
    applyAccent(this.root, session.branding.accentColor ?? session.branding.primaryColor);
    document.title = session.room.title;
    this.frame.setUp(session);
  }

  showLobby(session: ClassroomSession): void {
    this.setState('idle');
    this.showCard(lobbyCard(session, this.actions.join));
  }

  showOutcome(reason: Reason, requestId?: string | null): void {
    const outcome = OUTCOMES[reason];
    this.setState(outcome.state, reason);
    this.showCard(outcomeCard(outcome, this.actions.again, outcome.state === 'ended' ? undefined : requestId));
    this.say(outcome.title);
  }

  showClass(state: State, line?: string): void {
    this.setState(state);
    if (!this.frame.element.isConnected) this.container.replaceChildren(this.frame.element);
    this.showLine(line);
  }

  showPeople(people: readonly Person[]): void {
    if (people.length !== this.people && this.people > 0) this.say(`${people.length} people in class`);
    this.people = people.length;
    this.root.dataset['participants'] = String(people.length);
    this.frame.showCount(people.length);
    this.frame.tiles.show(people);
  }

  showDevices(isOn: (device: Device) => boolean): void {
    this.frame.showDevices(isOn);
  }

  showElapsed(milliseconds: number | undefined): void {
    this.frame.showElapsed(milliseconds);
  }

  showSoundBlocked(isBlocked: boolean): void {
    this.frame.showSoundBlocked(isBlocked);
  }

  showLine(line: string | undefined): void {
    this.line = line;
    this.frame.showNotice(this.passing ?? this.line);
  }

  showPassing(words: string): void {
    this.say(words);
    this.passing = words;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.passing = undefined;
      this.showLine(this.line);
    }, NOTICE_MS);
    this.showLine(this.line);
  }

  say(words: string): void {
    this.live.textContent = words;
  }

  private showCard(card: HTMLElement): void {
    this.frame.tiles.clear();
    this.people = 0;
    delete this.root.dataset['participants'];
    this.showSoundBlocked(false);
    document.querySelector('dialog')?.close();
    this.container.replaceChildren(h('div', { class: 'between' }, card));
    card.querySelector('h1')?.focus();
  }

  private askToEnd(): void {
    const dialog = confirmEnd(this.people, this.actions.endClass);
    document.body.append(dialog);
    dialog.showModal();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector('dialog')) return;
    const device = ({ m: 'microphone', v: 'camera' } as const)[event.key.toLowerCase()];
    const control = device && this.container.querySelector<HTMLButtonElement>(`[data-action=${device}]`);
    control?.click();
  }
}
