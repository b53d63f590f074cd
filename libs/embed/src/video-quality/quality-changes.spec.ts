/// <reference types="jest" />
import type { VideoQuality } from '../protocol.js';
import { QualityChanges } from './quality-changes.js';

function setup() {
  const reported: string[] = [];
  const changes = new QualityChanges(({ uid, source, from, to }) => reported.push(`${uid} ${source} ${from} ${to}`));
  let present = ['ada', 'bob'];
  const update = (qualities: Record<string, VideoQuality>) =>
    changes.update(
      Object.entries(qualities).map(([uid, quality]) => ({ uid, source: 'camera' as const, quality })),
      (uid) => present.includes(uid),
    );
  return { changes, reported, update, leaves: (uid: string) => (present = present.filter((one) => one !== uid)) };
}

describe('the changes of video quality', () => {
  it('begin with off, and are reported once two readings agree', () => {
    const { reported, update } = setup();
    update({ ada: '720p' });
    expect(reported).toEqual([]);
    update({ ada: '720p' });
    update({ ada: '720p' });
    expect(reported).toEqual(['ada camera off 720p']);
    update({ ada: '180p' });
    update({ ada: '180p' });
    update({ ada: 'paused' });
    update({ ada: 'paused' });
    expect(reported).toEqual(['ada camera off 720p', 'ada camera 720p 180p', 'ada camera 180p paused']);
  });

  it('are none if a quality only flickers', () => {
    const { reported, update } = setup();
    update({ ada: '720p' });
    update({ ada: '720p' });
    for (let n = 0; n < 20; n += 1) update({ ada: n % 2 === 0 ? '360p' : '720p' });
    for (let n = 0; n < 20; n += 1) update({ ada: n % 2 === 0 ? '180p' : '360p' });
    expect(reported).toEqual(['ada camera off 720p']);
  });

  it('report off for a video that is no longer published, and nothing for a participant who left', () => {
    const { reported, update, leaves } = setup();
    update({ ada: '720p', bob: '360p' });
    update({ ada: '720p', bob: '360p' });
    leaves('bob');
    update({});
    update({});
    update({});
    expect(reported).toEqual(['ada camera off 720p', 'bob camera off 360p', 'ada camera 720p off']);
  });

  it('distinguish the sources of one participant', () => {
    const { changes, reported } = setup();
    for (let n = 0; n < 2; n += 1) {
      changes.update(
        [
          { uid: 'ada', source: 'camera', quality: '360p' },
          { uid: 'ada', source: 'screen_share', quality: '1080p' },
        ],
        () => true,
      );
    }
    expect(reported).toEqual(['ada camera off 360p', 'ada screen_share off 1080p']);
  });

  it('begin with off again in the next class', () => {
    const { changes, reported, update } = setup();
    update({ ada: '720p' });
    update({ ada: '720p' });
    changes.reset();
    update({ ada: '720p' });
    update({ ada: '720p' });
    expect(reported).toEqual(['ada camera off 720p', 'ada camera off 720p']);
  });
});
