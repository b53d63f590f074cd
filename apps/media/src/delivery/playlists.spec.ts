import type { TranscodingResult } from '../schema/video.entity.js';
import { captionPlaylist, masterPlaylist } from './playlists.js';

const result: TranscodingResult = {
  type: 'hls',
  entry: 'master.m3u8',
  duration: 12.5,
  bytes: 1,
  hasVideo: true,
  hasAudio: true,
  renditions: [
    { width: 426, height: 240, bandwidth: 500_000.4, codecs: 'avc1.64000d,mp4a.40.2', playlist: '240p/index.m3u8' },
    { width: 1280, height: 720, bandwidth: 3_000_000, codecs: 'avc1.64001f,mp4a.40.2', playlist: '720p/index.m3u8' },
  ],
  poster: null,
};

describe('the master playlist', () => {
  it('names the variants', () => {
    expect(masterPlaylist(result, []).split('\n')).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:6',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-STREAM-INF:BANDWIDTH=500001,CODECS="avc1.64000d,mp4a.40.2",RESOLUTION=426x240',
      '240p/index.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720',
      '720p/index.m3u8',
      '',
    ]);
  });

  it('names each caption once, with labels that cannot end their quotes', () => {
    const captions = [
      { language: 'de', label: 'Deutsch', isDefault: true },
      { language: 'en-GB', label: 'English', isDefault: false },
      { language: 'en-US', label: 'English', isDefault: false },
      { language: 'fr', label: '"x"\r\n#EXT-X-STREAM-INF:\u2028', isDefault: false },
    ];
    const text = masterPlaylist(result, captions);
    expect(text.split('\n').filter((line) => line.startsWith('#EXT-X-MEDIA'))).toEqual([
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="Deutsch",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,URI="captions/de.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="English (en-GB)",LANGUAGE="en-GB",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions/en-gb.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="English (en-US)",LANGUAGE="en-US",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions/en-us.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="’x’ #EXT-X-STREAM-INF: ",LANGUAGE="fr",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions/fr.m3u8"',
    ]);
    expect(text.match(/,SUBTITLES="captions"$/gm)).toHaveLength(2);
  });

  it('of audio only has no resolution', () => {
    const sound = { width: 0, height: 0, bandwidth: 128_000, codecs: 'mp4a.40.2', playlist: 'audio/index.m3u8' };
    expect(masterPlaylist({ ...result, renditions: [sound] }, [])).toContain(
      '#EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"\naudio/index.m3u8\n',
    );
  });
});

test('the playlist of captions is one segment with the whole length', () => {
  expect(captionPlaylist({ language: 'pt-BR', label: '', isDefault: false }, 12.5)).toBe(
    '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:13\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:12.500,\npt-br.vtt\n#EXT-X-ENDLIST\n',
  );
});
