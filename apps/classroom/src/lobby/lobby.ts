import type { ClassroomApi } from '../session/session.js';
import { pageVisibility } from '../class/poller.js';
import { Poller } from '../class/poller.js';
import type { ApiError, SessionClient } from '../session/session.js';

const INTERVAL_MS = 5_000;

interface Parts {
  api: Pick<ClassroomApi, 'getClassState'>;
  sessions: Pick<SessionClient, 'current' | 'now'>;
  onRejected(error: ApiError): void;
}

/** Asks, while a participant is in the lobby, whether the class has ended or the participant may no longer join. */
export class LobbyWatch {
  private readonly poller;
  /** The version of the class state of the latest answer: only changes are requested. */
  private known = 0;

  constructor(private readonly parts: Parts) {
    this.poller = new Poller({
      ask: async () => (this.known = (await parts.api.getClassState({ after: this.known })).version),
      intervalMs: INTERVAL_MS,
      visibility: pageVisibility,
      onRejected: (error) => this.onRejected(error),
    });
  }

  start(): void {
    this.poller.start();
  }

  stop(): void {
    this.poller.stop();
  }

  /** A session that expired in the lobby is not a refusal: pressing Join opens a new one. */
  private onRejected(error: ApiError): void {
    const { sessions } = this.parts;
    const expiresAt = sessions.current && Date.parse(sessions.current.expiresAt);
    const isSessionExpired = error.code === 'UNAUTHORIZED' && expiresAt !== undefined && expiresAt <= sessions.now();
    if (!isSessionExpired) this.parts.onRejected(error);
  }
}
