import type { RemoteTrack, Room } from 'livekit-client';
import { livekit } from './livekit.js';

/** Plays the sound of all participants, independently of the tiles: also of people on other pages, and in a hidden tab. */
export class RemoteAudio {
  private readonly elements = new Map<RemoteTrack, HTMLMediaElement>();

  constructor(room: Room) {
    room
      .on(livekit.RoomEvent.TrackSubscribed, (track, _publication, participant) => this.attach(track, participant.identity))
      .on(livekit.RoomEvent.TrackUnsubscribed, (track) => this.detach(track));
  }

  clear(): void {
    for (const track of this.elements.keys()) this.detach(track);
  }

  private attach(track: RemoteTrack, uid: string): void {
    if (track.kind !== livekit.Track.Kind.Audio || this.elements.has(track)) return;
    const element = track.attach();
    element.dataset['uid'] = uid;
    element.dataset['source'] = track.source;
    document.body.append(element);
    this.elements.set(track, element);
  }

  private detach(track: RemoteTrack): void {
    const element = this.elements.get(track);
    if (!element) return;
    track.detach(element);
    element.remove();
    this.elements.delete(track);
  }
}
