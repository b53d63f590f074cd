import type { ClassroomController, Part } from '../app/classroom-controller.js';
import { pageVisibility, Poller } from '../class/poller.js';
import type { ApiError, ClassroomSession } from '../session/session.js';

declare module '../app/app-store.js' {
  interface Screens {
    lobby: true;
  }
}

const INTERVAL_MS = 5_000;

/** Asks, while a participant is in the lobby, whether the class has ended or the participant may no longer join. */
export class LobbyWatch implements Part {
  private readonly poller;
  /** The version of the class state of the latest answer: only changes are requested. */
  private known = 0;

  constructor(private readonly classroom: ClassroomController) {
    this.poller = new Poller({
      ask: async () => (this.known = (await classroom.api.getClassState({ after: this.known })).version),
      intervalMs: INTERVAL_MS,
      visibility: pageVisibility,
      onRejected: (error) => this.onRejected(error),
    });
  }

  /** Shows the lobby on entry, if the room has one. */
  holdBack({ room }: ClassroomSession, isEntry: boolean): boolean {
    if (!isEntry || !room.customization.showLobby) return false;
    this.classroom.app.set({ state: 'idle', screen: 'lobby', connectingText: undefined });
    this.poller.start();
    return true;
  }

  onStep(): void {
    this.poller.stop();
  }

  /** A session that expired in the lobby is not a refusal: pressing Join opens a new one. */
  private onRejected(error: ApiError): void {
    const { sessions } = this.classroom;
    const expiresAt = sessions.current && Date.parse(sessions.current.expiresAt);
    const isSessionExpired = error.code === 'UNAUTHORIZED' && expiresAt !== undefined && expiresAt <= sessions.now();
    if (!isSessionExpired) this.classroom.fail(error, true);
  }
}
