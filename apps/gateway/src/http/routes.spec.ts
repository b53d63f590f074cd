import { keepBlankSegments } from './routes.js';

describe('keepBlankSegments', () => {
  it.each([
    ['/v1/room//status', '/v1/room/%20/status'],
    ['/v1/room//status?a=//b', '/v1/room/%20/status?a=//b'],
    ['/v1/room/', '/v1/room/%20'],
    ['/v1/room', '/v1/room/%20'],
    ['/v1/room/x/status', '/v1/room/x/status'],
    ['/r//x', '/r//x'],
  ])('%s becomes %s', (url, kept) => expect(keepBlankSegments(url)).toBe(kept));
});
