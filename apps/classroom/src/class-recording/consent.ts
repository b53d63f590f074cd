import type { ClassroomController, Part } from '../app/classroom-controller.js';
import type { OutcomeReason } from '../app/outcomes.js';
import { ApiError, type ClassroomSession } from '../session/session.js';

/** What a class asks for consent to. */
export type ConsentQuestion = Pick<NonNullable<ClassroomSession['consent']>, 'version' | 'text' | 'ask' | 'without' | 'state'>;

declare module '../app/app-store.js' {
  interface Screens {
    consent: true;
  }
  interface AppState {
    /** The question that is open: on the screen `consent` before the class, otherwise over the class. */
    consent?: ConsentQuestion | undefined;
  }
}

/** The question for consent to recordings: before the class, in class when a recording starts, and again when the participant asks for it. */
export class Consent implements Part {
  /** The latest question, for a participant who changes a refusal. */
  private latest: ConsentQuestion | undefined;
  private isRefusing = false;
  private known: string | undefined;

  constructor(private readonly classroom: ClassroomController) {
    classroom.classStore.subscribe(() => this.followClass());
  }

  /** The participant has no place in class because of the answer. */
  removalReason(): OutcomeReason | undefined {
    const consent = this.classroom.app.get().session?.consent;
    return this.isRefusing || (consent?.state === 'REFUSED' && consent.without === 'refuse') ? 'no-consent' : undefined;
  }

  /** Shows the question of a class that asks before the media token. */
  holdBack({ livekitToken, consent }: ClassroomSession): boolean {
    if (livekitToken !== '' || !consent) return false;
    this.classroom.stopClass();
    this.ask(consent);
    return true;
  }

  private ask(consent: ConsentQuestion): void {
    this.latest = consent;
    this.classroom.app.set({
      state: 'idle',
      screen: 'consent',
      consent,
      connectingText: undefined,
      reason: undefined,
      reconnectingSince: undefined,
    });
  }

  /** Asks again after a refusal, if there is a question. */
  onRejoin(reason: OutcomeReason | undefined): boolean {
    if (reason !== 'no-consent') return false;
    if (this.latest) this.ask(this.latest);
    return this.latest !== undefined;
  }

  /** Opens the question over the class. */
  open(): void {
    const { session } = this.classroom.app.get();
    this.classroom.app.set({ consent: session?.consent });
  }

  close(): void {
    this.classroom.app.set({ consent: undefined });
  }

  /** The service refused a session without consent: its error has the question. */
  takeError(error: ApiError): boolean {
    const [version, text] = [error.detail('version'), error.detail('text')];
    if (error.code === 'CONSENT_REQUIRED' && version && text)
      this.latest = { version, text, ask: 'join', without: 'refuse', state: 'REFUSED' };
    return false;
  }

  onConnection(): void {
    const { current } = this.classroom.sessions;
    if (current) this.onSession(current);
  }

  /** A session in class: an unanswered question is shown, an answered one disappears. */
  onSession({ consent }: ClassroomSession): void {
    this.latest = consent;
    this.classroom.app.set({ consent: consent?.state === 'REQUIRED' ? consent : undefined });
  }

  /** @throws ApiError */
  async answer(granted: boolean): Promise<void> {
    const { app, api } = this.classroom;
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
    if (screen === 'consent') await this.classroom.rejoin();
    else void this.classroom.renewSession();
  }

  onEnd(): void {
    this.close();
    this.isRefusing = false;
    this.known = undefined;
  }

  private followClass(): void {
    const { session, state } = this.classroom.app.get();
    const { isLoaded, room, recording } = this.classroom.classStore.getSnapshot();
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
    if (before === undefined ? isOutdated : before !== key) void this.classroom.renewSession();
  }
}
