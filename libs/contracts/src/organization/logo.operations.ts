import { z } from 'zod';
import { base64 } from '../kernel/content.js';
import { defineEndpoint, envelope, KIB } from '../kernel/http.js';
import { defineRpc } from '../kernel/rpc.js';
import { organization } from './organization.operations.js';

/** Bytes of an uploaded logo after decoding. */
export const LOGO_LIMIT = KIB * KIB;
/** Width and height of an uploaded logo in pixels. */
export const LOGO_PIXELS = 4096;
/** More than base64 needs, so that a logo that is too large is refused by the name of its field. */
export const LOGO_BODY_LIMIT = 2 * KIB * KIB;
/** Bytes of one part of a logo: in base64, they fit in a message of NATS. */
export const LOGO_PART_BYTES = 640 * KIB;

/** What `logoUrl` of an organization begins with if its logo was uploaded: the SHA-256 of the logo follows. */
export const UPLOADED = 'upload:';

/** The SHA-256 of an uploaded logo; undefined if `logoUrl` is an address, or there is no logo. */
export const sha256OfLogo = (logoUrl: string | null): string | undefined =>
  logoUrl?.startsWith(UPLOADED) ? logoUrl.slice(UPLOADED.length) : undefined;

/** A square of one pixel. */
export const LOGO_SAMPLE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const logoBody = z.object({
  logo: base64.describe(
    'Base64 of at most 1 MiB: a PNG, JPEG or WebP of at most 4,096 × 4,096 pixels that is not animated. It is kept without its metadata (place, camera, comments). SVG is refused.',
  ),
});

export const shownBranding = organization.shape.branding.extend({
  servedLogoUrl: z.string().nullable().describe('Address at which we serve the logo; null if there is none.'),
});

export const setLogo = defineEndpoint({
  operationId: 'setLogo',
  summary: 'Upload logo',
  description: 'Uploads the logo, in place of the present one. Requires the role OWNER.',
  tag: 'Dashboard',
  route: 'PUT /v1/dashboard/branding/logo',
  auth: 'dashboard',
  dashboardRole: 'OWNER',
  bodyLimit: LOGO_BODY_LIMIT,
  body: logoBody,
  response: envelope(shownBranding),
  example: { body: { logo: LOGO_SAMPLE } },
  operators: {
    path: '/logo',
    summary: 'Upload logo of organization',
    description: 'Uploads the logo of an organization, in place of the present one.',
    tag: 'Organizations',
    sdk: 'organizations.setLogo',
  },
});

export const deleteLogo = defineEndpoint({
  operationId: 'deleteLogo',
  summary: 'Delete logo',
  description: 'Removes the logo, uploaded or not. Requires the role OWNER.',
  tag: 'Dashboard',
  route: 'DELETE /v1/dashboard/branding/logo',
  auth: 'dashboard',
  dashboardRole: 'OWNER',
  response: envelope(shownBranding),
  example: {},
  operators: {
    path: '/logo',
    summary: 'Delete logo of organization',
    description: 'Removes the logo of an organization, uploaded or not.',
    tag: 'Organizations',
    sdk: 'organizations.deleteLogo',
  },
});

/** One of the parts in which a logo passes NATS, numbered from 0. */
const part = { sha256: z.string().regex(/^[0-9a-f]{64}$/), number: z.number().int().min(0).max(1) };

export const logoRpc = {
  /** Stores a part; with the last one, which comes last, the logo is the organization's. */
  put: defineRpc({
    service: 'organization',
    rpc: 'logo.put',
    input: z.object({ organizationId: z.string(), ...part, parts: z.number().int().min(1).max(2), logoPart: z.string() }),
    output: organization,
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  /** By its content alone: only who shows the organization's branding knows the hash. */
  get: defineRpc({
    service: 'organization',
    rpc: 'logo.get',
    input: z.object(part),
    output: z.object({ parts: z.number().int(), logoPart: z.string() }),
    errors: ['NOT_FOUND'],
  }),
};
