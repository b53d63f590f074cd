import type { EndpointAuth, EndpointContract } from '@classroom/contracts';

/** Every kind of credential, by its name in the API reference. */
export const SECURITY_SCHEMES = {
  credential: {
    type: 'apiKey',
    in: 'header',
    name: 'VF-ORG-ID',
    description: 'The organization’s credential, `vfo_…`. A secret: for your backend alone.',
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

/** One of the listed schemes is enough. */
const SCHEMES: Record<EndpointAuth, readonly Scheme[]> = {
  none: [],
  organization: ['credential', 'apiKey'],
  participant: ['joinToken', 'classroomToken'],
  classroom: ['classroomToken'],
  dashboard: ['dashboardToken'],
  dispatch: ['dispatchSecret'],
  livekit: ['livekitSignature'],
};

/** For an API key, the scope that it must have. */
export const securityOf = ({ auth, scope }: EndpointContract) =>
  SCHEMES[auth].map((scheme) => ({ [scheme]: scheme === 'apiKey' && scope ? [scope] : [] }));

/** Endpoints for operators and for our own components; not part of the public reference. */
export const isInternal = (auth: EndpointAuth) => auth === 'dispatch' || auth === 'livekit';
