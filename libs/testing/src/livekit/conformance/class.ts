/// <reference types="jest" />
import { DataPacket_Kind, TrackSource } from 'livekit-server-sdk';
import { eventually } from '../../eventually.js';
import { type ConformanceFixture, encode } from './fixture.js';
import type { ConformanceParticipant } from './subject.js';

export function describeClass(fixture: ConformanceFixture): void {
  describe('in class', () => {
    it('sends data to every participant in order, or only to those addressed', async () => {
      const room = await fixture.newRoom();
      const send = (text: string, topic: string, destinationIdentities: string[] = []) =>
        fixture.api.sendData(room, encode(text), DataPacket_Kind.RELIABLE, { topic, destinationIdentities });
      const received = async (person: ConformanceParticipant) => (await person.packets()).filter((packet) => packet.startsWith('class: '));
      // LiveKit drops data for a participant whose data channel is not open yet, which may be after the join.
      const join = async (identity: string) => {
        const person = await fixture.join(room, identity);
        await eventually(async () => {
          await send('probe', 'probe', [identity]);
          expect(await person.packets()).toContain('probe: probe');
        });
        return person;
      };
      const [ann, bob] = [await join('ann'), await join('bob')];
      await send('one', 'class');
      await send('two', 'class', ['bob']);
      await send('three', 'class');
      await eventually(async () => expect(await received(bob)).toEqual(['class: one', 'class: two', 'class: three']));
      await eventually(async () => expect(await received(ann)).toEqual(['class: one', 'class: three']));
      const late = await join('late');
      await send('four', 'class');
      await eventually(async () => expect(await received(late)).toEqual(['class: four']));
      await Promise.all([ann.leave(), bob.leave(), late.leave()]);
    });

    it('mutes a track, which stays published, and does not unmute it', async () => {
      const room = await fixture.newRoom();
      const person = await fixture.join(room, 'loud');
      const track = await person.publishMicrophone();
      const tracks = async () =>
        (await fixture.api.getParticipant(room, 'loud')).tracks.map(({ sid, muted, source }) => ({ sid, muted, source }));
      const source = TrackSource.MICROPHONE;
      await eventually(async () => expect(await tracks()).toEqual([{ sid: track, muted: false, source }]));
      await fixture.api.mutePublishedTrack(room, 'loud', track, true);
      await eventually(async () => expect(await tracks()).toEqual([{ sid: track, muted: true, source }]));
      expect(await fixture.refusal(fixture.api.mutePublishedTrack(room, 'loud', track, false))).toEqual([412, 'failed_precondition']);
      await person.leave();
    });

    it('ends the tracks of a participant who may no longer publish, and refuses further ones until the source is permitted', async () => {
      const room = await fixture.newRoom();
      const person = await fixture.join(room, 'u');
      await person.publishMicrophone();
      const permit = (canPublish: boolean, canPublishSources: TrackSource[] = []) =>
        fixture.api.updateParticipant(room, 'u', { permission: { canPublish, canPublishSources, canSubscribe: true } });
      await permit(false);
      await eventually(async () =>
        expect(await fixture.api.getParticipant(room, 'u')).toMatchObject({ tracks: [], permission: { canPublish: false } }),
      );
      await expect(person.publishMicrophone()).rejects.toThrow();
      await permit(true, [TrackSource.MICROPHONE]);
      // The client's library refuses until it has received the permission.
      await eventually(() => person.publishMicrophone());
      await eventually(async () => expect((await fixture.api.getParticipant(room, 'u')).tracks).toHaveLength(1));
      await permit(true, [TrackSource.CAMERA]);
      await eventually(async () =>
        expect(await fixture.api.getParticipant(room, 'u')).toMatchObject({
          tracks: [],
          permission: { canPublish: true, canPublishSources: [TrackSource.CAMERA] },
        }),
      );
      await person.leave();
    });
  });
}
