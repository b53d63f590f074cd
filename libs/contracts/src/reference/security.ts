import type { EndpointAuth } from '../kernel/caller.js';
import type { EndpointContract } from '../kernel/http.js';

/** Every way to prove who calls, by the name the reference gives it. */
export const SECURITY_SCHEMES = {
  organizationId: {
    type: 'apiKey',
    in: 'header',
    name: 'VF-ORG-ID',
    description: 'The organization’s id. A secret: for your backend alone.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, `vc_live_…`, with the scope that the call asks for. A secret: for your backend alone.',
  },
  joinToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The `token` of a join, for one person and one room.' },
  classroomToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `classroomToken` of a session, for one person and one room.',
  },
  dashboardToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A dashboard’s token, for one person and one organization.',
  },
  dispatchSecret: { type: 'apiKey', in: 'header', name: 'X-Dispatch-Secret', description: 'The operator’s secret.' },
  livekitSignature: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'LiveKit’s signature over the raw body.' },
} as const;

type Scheme = keyof typeof SECURITY_SCHEMES;

/** One of them is enough. */
const SCHEMES: Record<EndpointAuth, readonly Scheme[]> = {
  none: [],
  organization: ['organizationId', 'apiKey'],
  participant: ['joinToken', 'classroomToken'],
  classroom: ['classroomToken'],
  dashboard: ['dashboardToken'],
  dispatch: ['dispatchSecret'],
  livekit: ['livekitSignature'],
};

/** With an API key, the scope that it has to have. */
export const securityOf = ({ auth, scope }: EndpointContract) =>
  SCHEMES[auth].map((scheme) => ({ [scheme]: scheme === 'apiKey' && scope ? [scope] : [] }));

/** For operators and for our own parts: no page that a school reads. */
export const isInternal = (auth: EndpointAuth) => auth === 'dispatch' || auth === 'livekit';
