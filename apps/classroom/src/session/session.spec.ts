import { createClassroomApi } from './session.js';

describe('a call of the page', () => {
  const made: unknown[][] = [];
  const api = createClassroomApi(async <T>(...request: unknown[]) => made.push(request) as T);

  it('sends its arguments in path, query or body', async () => {
    await api.muteParticipantInClass({ uid: 'a/b?c', source: 'camera' });
    await api.lowerHand({ uid: 'ada' });
    await api.listChatMessages({ before: 7, limit: undefined });
    await api.getClassState({ after: 0 });
    await api.createPoll({ question: 'Why?', options: ['a', 'b'] });
    await api.endClass();
    expect(made).toEqual([
      ['POST /v1/classroom/participants/a%2Fb%3Fc/mute', { source: 'camera' }],
      ['POST /v1/classroom/participants/ada/lower-hand'],
      ['GET /v1/classroom/chat?before=7'],
      ['GET /v1/classroom/state?after=0'],
      ['POST /v1/classroom/polls', { question: 'Why?', options: ['a', 'b'] }],
      ['POST /v1/classroom/end'],
    ]);
  });
});
