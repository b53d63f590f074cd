import { AppError, boardRpc, type RpcOutput } from '@classroom/contracts';
import { signFilmToken, verifyFilmToken } from '@classroom/platform';
import { GatewayFixture } from './support/gateway-fixture.js';

const SID = 'RM_4tGh7Jk9Lm2Np5Qr';
const DOCUMENT = 'doc_4tGh7Jk9Lm2Np5QrStUv';
const [OLD, OTHER] = ['o'.repeat(32), 'x'.repeat(32)];
const UPDATE: RpcOutput<typeof boardRpc.filmed> = { base: 3, version: 4, elements: [], hasMore: false, recordable: ['ada'] };

/** What a recording page asks for with the token of its address. */
describe('a recording page', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start({ env: { gateway: { LIVEKIT_OTHER_KEYS: `old:${OLD}` } } });
  });
  beforeEach(() => gateway.reset());
  afterAll(() => gateway?.stop());

  const secret = () => gateway.stack.secrets['livekitApiSecret'] ?? '';
  const bearer = (token = signFilmToken(secret(), SID)) => gateway.anonymous.bearer(token);

  it('gets the board of its class, and each time a new token', async () => {
    const inputs = gateway.answer(boardRpc.filmed, () => UPDATE);
    for (const token of [signFilmToken(secret(), SID), signFilmToken(OLD, SID)]) {
      const { status, headers, body } = await bearer(token).get('/recording/board?after=3');
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      const { token: next, ...update } = body.data as typeof UPDATE & { token: string };
      expect([update, verifyFilmToken([secret()], next)]).toEqual([UPDATE, SID]);
    }
    await bearer().get('/recording/board');
    expect(inputs).toEqual([3, 3, 0].map((after) => ({ sid: SID, after })));
    expect((await bearer().get('/recording/board?after=x')).status).toBe(400);
  });

  it('gets the pictures of a document of its class', async () => {
    const pages = [{ page: 2, url: 'https://media.example/v/2.jpg' }];
    const inputs = gateway.answer(boardRpc.filmedDocument, () => ({ pages }));
    const { status, body } = await bearer().get(`/recording/documents/${DOCUMENT}?after=1`);
    expect([status, body.data, inputs]).toEqual([200, { pages }, [{ sid: SID, documentId: DOCUMENT, after: 1 }]]);
    expect((await bearer().get('/recording/documents/other')).status).toBe(400);
  });

  it('gets nothing after its class', async () => {
    gateway.answer(boardRpc.filmed, () => {
      throw new AppError('ROOM_ENDED');
    });
    expect((await bearer().get('/recording/board')).body).toMatchObject({ success: false, error: 'ROOM_ENDED' });
  });

  it('gets nothing without such a token, or with an old one, which reach no service', async () => {
    const inputs = [gateway.answer(boardRpc.filmed, () => UPDATE), gateway.answer(boardRpc.filmedDocument, () => ({ pages: [] }))];
    const old = signFilmToken(secret(), SID, new Date(Date.now() - 3_601_000));
    const callers = [gateway.anonymous, gateway.backend, bearer(old), bearer(signFilmToken(OTHER, SID)), bearer('a.b.c'), bearer('')];
    for (const caller of callers)
      for (const path of ['/recording/board', `/recording/documents/${DOCUMENT}`])
        expect(await caller.get(path)).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
    expect(inputs).toEqual([[], []]);
  });
});
