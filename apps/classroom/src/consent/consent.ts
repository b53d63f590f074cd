import type { ClassStore } from '../class/class-store.js';
import type { ClassroomApi } from '../session/session.js';
import { ApiError, type ClassroomSession } from '../session/session.js';
import { hasTab } from '../app/granted.js';
import type { AppState, ConsentQuestion } from '../app/app-store.js';
import type { Store } from '../store.js';

interface Parts {
  app: Store<AppState>;
  api: Pick<ClassroomApi, 'answerConsent'>;
  classStore: Pick<ClassStore, 'getSnapshot' | 'subscribe'>;
  /** Requests the session again: it has the question, and the rights that follow from the answer. */
  renewSession(): void;
  /** Opens a session after the question before the class was answered. */
  openSession(): Promise<void>;
  stopClass(): void;
}

/** The question for consent to recordings: before the class, in class when a recording starts, and again when the participant asks for it. */
export class Consent {
  /** The latest question, for a participant who changes a refusal. */
  private latest: ConsentQuestion | undefined;
  private isRefusing = false;
  private known: string | undefined;

  constructor(private readonly parts: Parts) {
    parts.classStore.subscribe(() => this.followClass());
  }

  /** Whether the participant has no place in class because of the answer. */
  get isRefused(): boolean {
    const consent = this.parts.app.get().session?.consent;
    return this.isRefusing || (consent?.state === 'REFUSED' && consent.without === 'refuse');
  }

  /** Shows the question of a class that asks before the media token. Returns whether it does. */
  askBefore({ livekitToken, consent }: ClassroomSession): boolean {
    if (livekitToken !== '' || !consent) return false;
    this.parts.stopClass();
    this.ask(consent);
    return true;
  }

  private ask(consent: ConsentQuestion): void {
    this.latest = consent;
    this.parts.app.set({
      state: 'idle',
      screen: 'consent',
      consent,
      connectingText: undefined,
      reason: undefined,
      reconnectingSince: undefined,
    });
  }

  /** Asks again after a refusal. Returns false if there is no question. */
  askAgain(): boolean {
    if (this.latest) this.ask(this.latest);
    return this.latest !== undefined;
  }

  /** Opens the question over the class. */
  open(): void {
    const { session } = this.parts.app.get();
    this.parts.app.set({ consent: session?.consent });
  }

  close(): void {
    this.parts.app.set({ consent: undefined });
  }

  /** The service refused a session without consent: its error has the question. */
  takeFrom(error: ApiError): void {
    const [version, text] = [error.detail('version'), error.detail('text')];
    if (error.code !== 'CONSENT_REQUIRED' || !version || !text) return;
    this.latest = { version, text, ask: 'join', without: 'refuse', state: 'REFUSED' };
  }

  /** A session in class: an unanswered question is shown, an answered one disappears, as does a tab that the participant no longer has. */
  followSession(session: ClassroomSession): void {
    const { app } = this.parts;
    const { consent } = session;
    const { tab } = app.get();
    this.latest = consent;
    app.set({ consent: consent?.state === 'REQUIRED' ? consent : undefined });
    if (tab && !hasTab(session, tab)) app.set({ tab: undefined });
  }

  /** @throws ApiError */
  async answer(granted: boolean): Promise<void> {
    const { app, api, openSession, renewSession } = this.parts;
    const { consent, screen } = app.get();
    if (!consent) return;
    this.latest = { ...consent, state: granted ? 'GRANTED' : 'REFUSED' };
    // LiveKit may close the connection before the answer to this request arrives.
    this.isRefusing = !granted && consent.without === 'refuse' && screen === 'class';
    try {
      await api.answerConsent({ purpose: 'recording', version: consent.version, granted });
    } catch (error) {
      this.isRefusing = false;
      // The class asks for something else by now.
      if (!(error instanceof ApiError && error.code === 'CONSENT_NOT_ASKED')) throw error;
    }
    if (app.get().screen === 'outcome') return;
    this.close();
    if (screen === 'consent') await openSession();
    else renewSession();
  }

  /** The stay begins again. */
  reset(): void {
    this.isRefusing = false;
    this.known = undefined;
  }

  private followClass(): void {
    const { session, state } = this.parts.app.get();
    const { isLoaded, room, recording } = this.parts.classStore.getSnapshot();
    if (!session || state !== 'connected' || !isLoaded || !room?.consent) return;
    const asked = session.permissions.startRecording ? null : room.consent.recording;
    const isRecording = recording?.status === 'STARTING' || recording?.status === 'ACTIVE';
    const isAsked = asked !== null && (asked.ask === 'join' || isRecording);
    const rules = JSON.stringify(room.permissions);
    const key = JSON.stringify([asked, isAsked, room.consent.ai, rules]);
    const before = this.known;
    this.known = key;
    // The session was opened before the state of the class was known.
    const isOutdated = (isAsked && session.consent?.version !== asked.version) || JSON.stringify(session.room.permissions) !== rules;
    if (before === undefined ? isOutdated : before !== key) this.parts.renewSession();
  }
}
