/// <reference types="jest" />
import { DataPacket_Kind, TrackSource } from 'livekit-server-sdk';
import { eventually } from '../../eventually.js';
import { type ConformanceFixture, encode } from './fixture.js';

export function describeClass(fixture: ConformanceFixture): void {
  describe('in class', () => {
    it('sends data to every participant in order, or only to those addressed', async () => {
      const room = await fixture.newRoom();
      const [ann, bob] = [await fixture.join(room, 'ann'), await fixture.join(room, 'bob')];
      await fixture.api.sendData(room, encode('one'), DataPacket_Kind.RELIABLE, { topic: 'class' });
      await fixture.api.sendData(room, encode('two'), DataPacket_Kind.RELIABLE, { topic: 'class', destinationIdentities: ['bob'] });
      await fixture.api.sendData(room, encode('three'), DataPacket_Kind.RELIABLE, { topic: 'class' });
      await eventually(async () => expect(await bob.packets()).toEqual(['class: one', 'class: two', 'class: three']));
      await eventually(async () => expect(await ann.packets()).toEqual(['class: one', 'class: three']));
      const late = await fixture.join(room, 'late');
      // LiveKit drops data for a participant whose data channel is not open yet, which may be after the join.
      let sent = 0;
      await eventually(async () => {
        sent += 1;
        await fixture.api.sendData(room, encode(`four ${sent}`), DataPacket_Kind.RELIABLE, { topic: 'class' });
        expect(await late.packets()).not.toEqual([]);
      });
      await eventually(async () => {
        const packets = await late.packets();
        const all = Array.from({ length: sent }, (_, n) => `class: four ${n + 1}`);
        expect(packets).toEqual(all.slice(-packets.length));
      });
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
      await person.leave();
    });
  });
}
