import { invalidField, LOGO_LIMIT, LOGO_PIXELS } from '@classroom/contracts';
import { pictureSizeOf, pictureTypeOf, withoutMetadata } from '@classroom/platform';
import { decodeInput } from '../http/base64-input.js';

/**
 * @param base64 the field `logo` of a request
 * @returns the picture without its metadata
 * @throws AppError VALIDATION_FAILED or PAYLOAD_TOO_LARGE, which name the field
 */
export function checkedLogo(base64: string): Buffer {
  const given = decodeInput('logo', base64, LOGO_LIMIT);
  const type = pictureTypeOf(given);
  if (!type || type === 'image/gif') throw invalidField('logo', 'must be a PNG, JPEG or WebP');
  const logo = withoutMetadata(given);
  const size = logo && pictureSizeOf(logo);
  if (!size) throw invalidField('logo', 'must not be damaged');
  if (size.isAnimated) throw invalidField('logo', 'must not be animated');
  if (Math.max(size.width, size.height) > LOGO_PIXELS)
    throw invalidField('logo', `must be at most ${LOGO_PIXELS} × ${LOGO_PIXELS} pixels, and is ${size.width} × ${size.height}`);
  return logo;
}
