import { crc32, deflateSync } from 'node:zlib';

/** Pictures of 3 x 2 pixels, as Chromium writes them. */
export const PICTURES = {
  'image/png': png(3, 2),
  'image/jpeg': Buffer.from(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAP/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCIAm//2Q==',
    'base64',
  ),
  'image/webp': Buffer.from(
    'UklGRiwAAABXRUJQVlA4ICAAAABQAQCdASoDAAIAB0CWJaAABDOAAP7oN94/6qp6+/QAAA==',
    'base64',
  ),
} as const;
/** The same picture, lossless. */
export const LOSSLESS_WEBP = Buffer.from('UklGRh4AAABXRUJQVlA4TBEAAAAvAkAAAAdQri5Uqf+BiOh/AAA=', 'base64');

/** A black PNG. `more` are chunks before its end. Only a small one has its pixels. */
export function png(width: number, height: number, ...more: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const isSmall = width * height <= 1_000_000;
  const pixels = deflateSync(Buffer.alloc(isSmall ? (width + 1) * height : 0));
  const begin = Buffer.from('89504e470d0a1a0a', 'hex');
  const parts = [begin, pngChunk('IHDR', header), pngChunk('IDAT', pixels), ...more];
  return Buffer.concat([...parts, pngChunk('IEND', Buffer.alloc(0))]);
}

/** A chunk with its correct checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}

/** A JPEG with another size in its frame. */
export function jpeg(width: number, height: number): Buffer {
  const bytes = Buffer.from(PICTURES['image/jpeg']);
  const frame = bytes.indexOf(Buffer.from('ffc0', 'hex'));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

/** A lossless WebP with another size in its picture. */
export function webp(width: number, height: number): Buffer {
  const bytes = Buffer.from(LOSSLESS_WEBP);
  const at = bytes.indexOf('VP8L') + 9;
  bytes.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, at);
  return bytes;
}

/** Adds one RIFF chunk at the end of a WebP and corrects the length. */
export function withChunk(bytes: Buffer, type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  const made = Buffer.concat([bytes, head, data]);
  made.writeUInt32LE(made.length - 8, 4);
  return made;
}

export function dataUri(bytes: Buffer, type = 'image/png'): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}
