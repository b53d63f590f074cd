/// <reference types="jest" />
import type { VideoQuality } from '../protocol.js';
import { QualityChanges } from './quality-changes.js';

function watched() {
  const reported: string[] = [];
  const changes = new QualityChanges(({ uid, source, from, to }) => reported.push(`${uid} ${source} ${from} ${to}`));
  let present = ['ada', 'bob'];
  const look = (qualities: Record<string, VideoQuality>) =>
    changes.look(
      Object.entries(qualities).map(([uid, quality]) => ({ uid, source: 'camera' as const, quality })),
      (uid) => present.includes(uid),
    );
  return { changes, reported, look, leaves: (uid: string) => (present = present.filter((one) => one !== uid)) };
}

describe('the changes of video quality', () => {
  it('begin with off, and are reported once two readings agree', () => {
    const { reported, look } = watched();
    look({ ada: '720p' });
    expect(reported).toEqual([]);
    look({ ada: '720p' });
    look({ ada: '720p' });
    expect(reported).toEqual(['ada camera off 720p']);
    look({ ada: '180p' });
    look({ ada: '180p' });
    look({ ada: 'paused' });
    look({ ada: 'paused' });
    expect(reported).toEqual(['ada camera off 720p', 'ada camera 720p 180p', 'ada camera 180p paused']);
  });

  it('are none if a quality only flickers', () => {
    const { reported, look } = watched();
    look({ ada: '720p' });
    look({ ada: '720p' });
    for (let n = 0; n < 20; n += 1) look({ ada: n % 2 === 0 ? '360p' : '720p' });
    for (let n = 0; n < 20; n += 1) look({ ada: n % 2 === 0 ? '180p' : '360p' });
    expect(reported).toEqual(['ada camera off 720p']);
  });

  it('report off for a video that is no longer published, and nothing for a participant who left', () => {
    const { reported, look, leaves } = watched();
    look({ ada: '720p', bob: '360p' });
    look({ ada: '720p', bob: '360p' });
    leaves('bob');
    look({});
    look({});
    look({});
    expect(reported).toEqual(['ada camera off 720p', 'bob camera off 360p', 'ada camera 720p off']);
  });

  it('distinguish the sources of one participant', () => {
    const { changes, reported } = watched();
    for (let n = 0; n < 2; n += 1) {
      changes.look(
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
    const { changes, reported, look } = watched();
    look({ ada: '720p' });
    look({ ada: '720p' });
    changes.forget();
    look({ ada: '720p' });
    look({ ada: '720p' });
    expect(reported).toEqual(['ada camera off 720p', 'ada camera off 720p']);
  });
});
