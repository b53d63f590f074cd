import { agentChatBody } from './agent.operations.js';

describe('a picture’s type', () => {
  const isTaken = (imageMimeType: string) => agentChatBody.safeParse({ chatId: 'c', message: 'm', image: 'QUJD', imageMimeType }).success;

  it.each(['image/png', 'image/jpeg', 'image/heic', 'image/x-portable-pixmap', 'image/vnd.microsoft.icon'])('may be %s', (type) => {
    expect(isTaken(type)).toBe(true);
  });

  it.each(['image/svg+xml', 'image/svg', 'image/', 'image/png; q=1', 'audio/wav', 'png', ''])('may not be %j', (type) => {
    expect(isTaken(type)).toBe(false);
  });
});
