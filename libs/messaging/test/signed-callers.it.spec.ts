import { generateKeyPairSync } from 'node:crypto';
import { MetadataScanner, type DiscoveryService } from '@nestjs/core';
import { z } from 'zod';
import { classroomCaller, defineRpc, deleteRoom, getRoomStatus, updateOrganization, type RpcContract } from '@classroom/contracts';
import { currentCaller, inOrganization, logger, readGauges, type BaseConfig } from '@classroom/platform';
import { CallerSigner, Handles, RpcClient, RpcServer, type SignedCaller } from '../src/index.js';
import { RpcFixture } from './support/rpc-fixture.js';

const ofOrganization = z.object({ organizationId: z.string() });
const internal = (verb: string, input: z.ZodType, options: { callers?: ['billing']; needsCaller?: boolean } = {}) =>
  defineRpc({ service: 'room', rpc: `thing.${verb}`, input, output: z.unknown(), ...options });
const ofGateway = internal('of-gateway', ofOrganization);
const ofParticipant = internal('of-participant', z.object({ caller: classroomCaller }));
const beforeAuthentication = internal('before-authentication', z.object({ hash: z.string() }));
const inBackground = internal('in-background', ofOrganization, { callers: ['billing'] });
const inRequests = internal('in-requests', ofOrganization, { callers: ['billing'], needsCaller: true });
/** Answers with what it passes on. */
const passing = internal('passing', ofOrganization);
/** Endpoints, whose rights follow from who may call them. Their own input is more than these tests need. */
const [remove, read, update] = [deleteRoom, getRoomStatus, updateOrganization].map((endpoint): RpcContract => ({
  ...endpoint,
  input: ofOrganization,
  output: z.unknown(),
})) as [RpcContract, RpcContract, RpcContract];

class Handlers {
  client: RpcClient | undefined;

  @Handles(passing)
  pass(input: unknown) {
    return this.client!.call(inRequests, input as object);
  }
}
for (const contract of [ofGateway, ofParticipant, beforeAuthentication, inBackground, inRequests, remove, read, update]) {
  const descriptor = { value: async () => 'answered' };
  Object.defineProperty(Handlers.prototype, contract.subject, descriptor);
  Handles(contract)(Handlers.prototype, contract.subject, descriptor as never);
}

const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signer = new CallerSigner(privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'));
  return { signer, publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') };
};

/** NATS lets an app call a subject. Whether the call is made for the organization that it names, the gateway has signed. */
describe('a call', () => {
  const present = pair();
  const previous = pair();
  const handlers = new Handlers();
  let fixture: RpcFixture;

  beforeAll(async () => {
    fixture = await RpcFixture.start(handlers, [present.publicKey, previous.publicKey]);
    handlers.client = fixture.client;
  });
  afterAll(() => fixture?.stop());

  const call = (contract: RpcContract, input: object, statement?: string) =>
    inOrganization(
      undefined,
      () => fixture.client.call(contract, input),
      () => statement,
    ).then(
      () => 'answered',
      (error: { code: string }) => error.code,
    );
  const signed = (caller: SignedCaller, { signer } = present) => signer.sign(caller);
  const REFUSED = 'SERVICE_UNAVAILABLE';
  const school = { organizationId: 'school' };
  const backend = { ...school, rights: ['organization'] };
  const participant = (organizationId: string) => ({ caller: { sid: 'RM_1', uid: 'ann', organizationId, sessionNumber: 1, issuedAt: 0 } });

  it('is answered for the organization of its caller alone', async () => {
    expect(await call(ofGateway, school, signed(backend))).toBe('answered');
    expect(await call(ofGateway, { organizationId: 'other' }, signed(backend))).toBe(REFUSED);
    const student = signed({ ...school, rights: ['participant'] });
    expect(await call(ofParticipant, participant('school'), student)).toBe('answered');
    expect(await call(ofParticipant, participant('other'), student)).toBe(REFUSED);
  });

  it('is refused without a statement, if it is made only for authenticated callers', async () => {
    expect(await call(ofGateway, school)).toBe(REFUSED);
    expect(await call(remove, school)).toBe(REFUSED);
    expect(await call(inRequests, school)).toBe(REFUSED);
    expect(await call(beforeAuthentication, { hash: 'x' })).toBe('answered');
    expect(await call(inBackground, school)).toBe('answered');
    expect(await call(inBackground, school, signed({ ...backend, organizationId: 'other' }))).toBe(REFUSED);
  });

  it('is answered if its caller has a right to it', async () => {
    expect(await call(remove, school, signed(backend))).toBe('answered');
    expect(await call(remove, school, signed({ ...school, rights: ['rooms:write'] }))).toBe('answered');
    expect(await call(remove, school, signed({ ...school, rights: ['rooms:read'] }))).toBe(REFUSED);
    expect(await call(read, school, signed({ ...school, rights: ['rooms:read'] }))).toBe('answered');
    expect(await call(update, school, signed(backend))).toBe(REFUSED);
    expect(await call(update, school, signed({ rights: ['dispatch'] }))).toBe('answered');
    expect(await call(update, school, signed({ ...school, rights: ['dashboard'] }))).toBe('answered');
  });

  it('is refused if its statement is forged, changed or expired', async () => {
    expect(await call(ofGateway, school, signed(backend, pair()))).toBe(REFUSED);
    const statement = signed(backend);
    expect(await call(ofGateway, { organizationId: 'friend' }, statement.replace('school', 'friend'))).toBe(REFUSED);
    const [expiry = '', , , signature] = statement.split(' ');
    expect(await call(ofGateway, school, statement.replace(expiry, `${expiry}0`))).toBe(REFUSED);
    for (const garbage of ['x', ' ', `${signature}`, ` ${signature}`, statement.slice(0, -1)])
      expect(await call(ofGateway, school, garbage)).toBe(REFUSED);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3 * 60_000);
    const expired = signed({ ...school, rights: ['organization', 'expired'] });
    clock.mockRestore();
    expect(await call(ofGateway, school, expired)).toBe(REFUSED);
  });

  it('is answered with the previous key while keys are rotated', async () => {
    expect(await call(ofGateway, school, signed(backend, previous))).toBe('answered');
  });

  it('that a service makes for a caller carries the statement of that caller', async () => {
    expect(await call(passing, school, signed(backend))).toBe('answered');
    expect(currentCaller()).toBeUndefined();
  });

  test.each<[string, Partial<BaseConfig>, number]>([
    ['without keys', { DEPLOYMENT: 'production', CALLER_PUBLIC_KEYS: [] }, 1],
    ['with keys', { DEPLOYMENT: 'production', CALLER_PUBLIC_KEYS: [present.publicKey] }, 0],
    ['without keys on a developer’s machine', { DEPLOYMENT: 'local', CALLER_PUBLIC_KEYS: [] }, 0],
  ])('that would be answered unverified is announced by its service: %s', async (_, config, count) => {
    const errors = jest.spyOn(logger, 'error').mockImplementation(() => undefined);
    const open = async () => (await readGauges(['classroom_unverified_callers'])).filter(({ value }) => value === 1).length;
    const before = await open();
    const discovery = { getProviders: () => [], getControllers: () => [] } as unknown as DiscoveryService;
    const server = new RpcServer(fixture.connection, { ROLES: ['service'], ...config } as BaseConfig, discovery, new MetadataScanner());
    await server.listen(() => undefined);
    expect([(await open()) - before, errors.mock.calls.length]).toEqual([count, count]);
    errors.mockRestore();
  });
});
