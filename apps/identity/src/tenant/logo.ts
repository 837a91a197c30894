import { LOGO_TYPES, MOST_LOGO_BYTES, MOST_LOGO_SIDE, type TenantLogo } from '@fundrail/contracts';
import { createHash } from 'node:crypto';
import { pictureTypeOf, sizeOf } from './picture.ts';

/** A logo that was checked. */
export interface Logo extends TenantLogo {
  readonly content: Buffer;
}

const DATA_URI = /^data:([a-z0-9.+/-]{1,100});base64,([A-Za-z0-9+/]*={0,2})$/i;

/** The logo in a data URI, or the reason for its refusal as a message that follows the field's name. Nothing is decompressed. */
export function readLogo(uri: string): Logo | string {
  const [, declared = '', base64 = ''] = DATA_URI.exec(uri) ?? [];
  if (declared.toLowerCase() === 'image/svg+xml')
    return 'must be PNG, JPEG or WebP: SVG is refused, because it can hold scripts';
  if (declared === '') return 'must be a data URI of base64, as in data:image/png;base64,iVBORw0KGgo=';
  const content = Buffer.from(base64, 'base64');
  if (content.toString('base64') !== base64) return 'must be base64 with its padding (RFC 4648, section 4)';
  if (content.length > MOST_LOGO_BYTES) return `must be at most ${MOST_LOGO_BYTES / 1024} KiB`;
  const media_type = LOGO_TYPES.find((type) => type === declared);
  if (media_type === undefined) return `must be one of ${LOGO_TYPES.join(', ')}`;
  if (pictureTypeOf(content) !== media_type) return `must be the ${media_type} that its media type declares`;
  const size = sizeOf(media_type, content);
  if (size === 'animated') return 'must not be animated';
  if (size === 'damaged') return 'must be one whole picture, and nothing after it';
  const { width, height } = size;
  if (!isSide(width) || !isSide(height))
    return `must be at most ${MOST_LOGO_SIDE} x ${MOST_LOGO_SIDE} pixels`;
  return { media_type, width, height, sha256: createHash('sha256').update(content).digest('hex'), content };
}

function isSide(pixels: number): boolean {
  return pixels >= 1 && pixels <= MOST_LOGO_SIDE;
}
