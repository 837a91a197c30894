import { createHash } from 'node:crypto';
import {
  dataUri,
  jpeg,
  LOSSLESS_WEBP,
  PICTURES,
  png,
  pngChunk,
  webp,
  withChunk,
} from '../testing/pictures.ts';
import { readLogo } from './logo.ts';

const PNG = PICTURES['image/png'];
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const SVG_REFUSED = 'must be PNG, JPEG or WebP: SVG is refused, because it can hold scripts';
const NOT_WHOLE = 'must be one whole picture, and nothing after it';
const TOO_WIDE = 'must be at most 512 x 512 pixels';
const NO_BASE64 = 'must be base64 with its padding (RFC 4648, section 4)';
const NO_DATA_URI = 'must be a data URI of base64, as in data:image/png;base64,iVBORw0KGgo=';
const animation = pngChunk('acTL', Buffer.alloc(8));

describe('a logo (ADMIN-13)', () => {
  it.each(Object.entries(PICTURES))('given %s, then its size and hash are read', (type, bytes) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(readLogo(dataUri(bytes, type))).toEqual({
      ...{ media_type: type, width: 3, height: 2, sha256 },
      content: bytes,
    });
  });

  it.each([
    ['a PNG', png(512, 512), 'image/png'],
    ['a JPEG', jpeg(512, 512), 'image/jpeg'],
    ['a WebP without loss', webp(512, 512), 'image/webp'],
  ])('given %s of the maximum size, then it is accepted', (_, bytes, type) => {
    expect(readLogo(dataUri(bytes, type))).toMatchObject({ width: 512, height: 512 });
  });

  it('given the maximum length, then it is accepted, and one byte more is not', () => {
    const fill = (more: number) =>
      png(1, 1, pngChunk('tEXt', Buffer.alloc(65_536 - png(1, 1).length - 12 + more)));
    expect(readLogo(dataUri(fill(0)))).toMatchObject({ width: 1 });
    expect(readLogo(dataUri(fill(1)))).toBe('must be at most 64 KiB');
    expect(readLogo(dataUri(Buffer.alloc(65 * 1024)))).toBe('must be at most 64 KiB');
  });

  it.each([
    ['a header of 100,000 x 100,000', png(100_000, 100_000), 'image/png', TOO_WIDE],
    ['a header of no width', png(0, 2), 'image/png', TOO_WIDE],
    ['513 pixels', png(513, 1), 'image/png', TOO_WIDE],
    ['a JPEG of 65,535 pixels', jpeg(65_535, 65_535), 'image/jpeg', TOO_WIDE],
    ['a JPEG without a height', jpeg(3, 0), 'image/jpeg', TOO_WIDE],
    ['a WebP of 16,384 pixels', webp(16_384, 16_384), 'image/webp', TOO_WIDE],
    ['a PNG that is cut off', PNG.subarray(0, -1), 'image/png', NOT_WHOLE],
    ['a PNG that ends within its header', PNG.subarray(0, 20), 'image/png', NOT_WHOLE],
    ['the first eight bytes of a PNG', PNG.subarray(0, 8), 'image/png', NOT_WHOLE],
    ['a wrong checksum', Buffer.concat([PNG.subarray(0, -1), Buffer.from([0])]), 'image/png', NOT_WHOLE],
    ['a page after a PNG', Buffer.concat([PNG, Buffer.from('<script>')]), 'image/png', NOT_WHOLE],
    ['a second header', png(3, 2, PNG.subarray(8, 33)), 'image/png', NOT_WHOLE],
    ['no pixels', Buffer.concat([PNG.subarray(0, 33), PNG.subarray(-12)]), 'image/png', NOT_WHOLE],
    [
      'a chunk that claims 4 GiB',
      Buffer.concat([PNG.subarray(0, 33), Buffer.alloc(12, 255)]),
      'image/png',
      NOT_WHOLE,
    ],
    ['a JPEG that is cut off', PICTURES['image/jpeg'].subarray(0, -2), 'image/jpeg', NOT_WHOLE],
    [
      'an archive after a JPEG',
      Buffer.concat([jpeg(3, 2), Buffer.from('PK\x03\x04')]),
      'image/jpeg',
      NOT_WHOLE,
    ],
    ['a JPEG without a frame', Buffer.from('ffd8ffd9', 'hex'), 'image/jpeg', NOT_WHOLE],
    ['a JPEG whose segment has no length', Buffer.from('ffd8ffe00000ffd9', 'hex'), 'image/jpeg', NOT_WHOLE],
    ['a page after a WebP', Buffer.concat([LOSSLESS_WEBP, SVG]), 'image/webp', NOT_WHOLE],
    ['a WebP without a picture', Buffer.from('524946460400000057454250', 'hex'), 'image/webp', NOT_WHOLE],
    ['a WebP of two pictures', withChunk(LOSSLESS_WEBP, 'VP8L', Buffer.alloc(6)), 'image/webp', NOT_WHOLE],
    [
      'a WebP whose canvas is another',
      withChunk(LOSSLESS_WEBP, 'VP8X', Buffer.alloc(10)),
      'image/webp',
      NOT_WHOLE,
    ],
    ['a WebP that is cut off', LOSSLESS_WEBP.subarray(0, -2), 'image/webp', NOT_WHOLE],
    ['an animated PNG', png(3, 2, animation), 'image/png', 'must not be animated'],
    [
      'an animated WebP',
      withChunk(LOSSLESS_WEBP, 'ANMF', Buffer.alloc(16)),
      'image/webp',
      'must not be animated',
    ],
    ['SVG', SVG, 'image/svg+xml', SVG_REFUSED],
    ['SVG in capitals', SVG, 'image/SVG+xml', SVG_REFUSED],
    ['SVG that is renamed', SVG, 'image/png', 'must be the image/png that its media type declares'],
    ['a PNG that is called a JPEG', PNG, 'image/jpeg', 'must be the image/jpeg that its media type declares'],
    ['a page', SVG, 'text/html', 'must be one of image/png, image/jpeg, image/webp'],
    ['a GIF', Buffer.from('GIF89a'), 'image/gif', 'must be one of image/png, image/jpeg, image/webp'],
    ['nothing', Buffer.alloc(0), 'image/png', 'must be the image/png that its media type declares'],
  ])('given %s, then it is refused', (_, bytes, type, why) => {
    expect(readLogo(dataUri(bytes, type))).toBe(why);
  });

  it.each([
    ['an address', 'https://app.example/logo.png', NO_DATA_URI],
    ['no type', `data:;base64,${PNG.toString('base64')}`, NO_DATA_URI],
    ['a parameter', `data:image/png;name=x;base64,${PNG.toString('base64')}`, NO_DATA_URI],
    ['no base64', 'data:image/png,abc', NO_DATA_URI],
    ['a line break', `data:image/png;base64,${PNG.toString('base64')}\n`, NO_DATA_URI],
    ['letters of base64url', 'data:image/png;base64,_-8=', NO_DATA_URI],
    ['no padding', 'data:image/png;base64,iVBORw0KGgo', NO_BASE64],
    ['bits that no byte has', 'data:image/png;base64,iV==', NO_BASE64],
    [
      'another case of the type',
      dataUri(PNG, 'image/PNG'),
      'must be one of image/png, image/jpeg, image/webp',
    ],
  ])('given %s, then it is refused', (_, text, why) => {
    expect(readLogo(text)).toBe(why);
  });

  it('given one changed byte anywhere in a picture, then it is read or refused, and never throws', () => {
    for (const [type, bytes] of Object.entries(PICTURES))
      for (let at = 0; at < bytes.length; at += 1)
        for (const value of [0, 1, 255]) {
          const changed = Buffer.from(bytes);
          changed[at] = value;
          expect(readLogo(dataUri(changed, type))).toBeDefined();
        }
  });

  it('given a picture cut off anywhere, then it is refused', () => {
    for (const [type, bytes] of Object.entries(PICTURES))
      for (let length = 0; length < bytes.length; length += 1)
        expect([length, typeof readLogo(dataUri(bytes.subarray(0, length), type))]).toEqual([
          length,
          'string',
        ]);
  });
});
