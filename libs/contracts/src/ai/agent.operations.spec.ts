import { agentChatBody } from './agent.operations.js';

describe('a picture’s type', () => {
  const isTaken = (imageMimeType: string) => agentChatBody.safeParse({ chatId: 'c', message: 'm', image: 'QUJD', imageMimeType }).success;

  it.each(['image/png', 'image/jpeg', 'image/heic', 'image/x-portable-pixmap', 'image/vnd.microsoft.icon'])('may be %s', (type) => {
    expect(isTaken(type)).toBe(true);
  });

  it.each(['IMAGE/PNG', ' image/png ', 'Image/Png; q=1', 'image/png;charset=binary'])('may be written as %j', (imageMimeType) => {
    const { data } = agentChatBody.safeParse({ chatId: 'c', message: 'm', image: 'QUJD', imageMimeType });
    expect(data?.imageMimeType).toBe('image/png');
  });

  it.each([
    'image/svg+xml',
    'image/svg',
    'IMAGE/SVG+xml',
    ' image/svg; a=b',
    'image/',
    'image/ png',
    'image/png, image/gif',
    'audio/wav',
    'png',
    '',
  ])('may not be %j', (type) => {
    expect(isTaken(type)).toBe(false);
  });
});
