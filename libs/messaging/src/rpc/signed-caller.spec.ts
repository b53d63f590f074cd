import { generateKeyPairSync } from 'node:crypto';
import { CallerSigner, CallerVerifier } from './signed-caller.js';

function pair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signer = new CallerSigner(privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'));
  return { signer, publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') };
}

describe('a request that is passed on', () => {
  const gateway = pair();
  const verifier = new CallerVerifier([pair().publicKey, gateway.publicKey]);

  it('comes from the gateway if the gateway signed that', () => {
    expect(verifier.isFromGateway(gateway.signer.signOwn())).toBe(true);
  });

  it('comes from another otherwise', () => {
    const ofSchool = gateway.signer.sign({ organizationId: 'school', rights: ['gateway'] });
    const ofOperator = gateway.signer.sign({ rights: ['gateway'] });
    const forged = pair().signer.signOwn();
    const given = [undefined, '', '- gateway', ofSchool, ofOperator, forged, [gateway.signer.signOwn()]];
    expect(given.filter((token) => verifier.isFromGateway(token))).toEqual([]);
    expect(new CallerVerifier([]).isFromGateway(gateway.signer.signOwn())).toBe(false);
  });
});
