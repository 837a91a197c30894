import type { LOGO_TYPES } from '@fundrail/contracts';
import { crc32 } from 'node:zlib';

type PictureType = (typeof LOGO_TYPES)[number];

/** What a picture's bytes state about it. Sizes are in pixels. */
interface Picture {
  readonly media_type: PictureType;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Picture, 'width' | 'height'>;
/** Why the bytes are not one whole picture. */
type PictureFault = 'damaged' | 'animated';

/** The type of picture by its first bytes, or null. */
export function pictureTypeOf(bytes: Buffer): PictureType | null {
  if (bytes.subarray(0, 8).equals(PNG_BEGIN)) return 'image/png';
  if (bytes.subarray(0, 3).equals(JPEG_BEGIN)) return 'image/jpeg';
  if (text(bytes, 0) === 'RIFF' && text(bytes, 8) === 'WEBP') return 'image/webp';
  return null;
}

/**
 * The size that a picture's own headers state. Reads from part to part up to the picture's end, which must be the end of the bytes,
 * so that nothing else is appended. Nothing is decompressed: the cost depends on the bytes, not on the claimed size.
 */
export function sizeOf(media_type: PictureType, bytes: Buffer): Size | PictureFault {
  switch (media_type) {
    case 'image/png':
      return sizeOfPng(bytes);
    case 'image/jpeg':
      return sizeOfJpeg(bytes);
    case 'image/webp':
      return sizeOfWebp(bytes);
    default:
      return media_type satisfies never;
  }
}

const PNG_BEGIN = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length and type before a chunk's data, and the checksum after it. */
const PNG_AROUND = 12;
const PNG_HEADER = 13;

/** PNG (W3C) §5: chunks with checksums, IHDR first, IEND last. */
function sizeOfPng(bytes: Buffer): Size | PictureFault {
  let size: Size | null = null;
  let hasPixels = false;
  for (let at = PNG_BEGIN.length; at + PNG_AROUND <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + PNG_AROUND + length;
    if (end > bytes.length) return 'damaged';
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return 'damaged';
    const type = text(bytes, at + 4);
    if ((type === 'IHDR') !== (size === null)) return 'damaged';
    if (size === null) {
      if (length !== PNG_HEADER) return 'damaged';
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === 'acTL') return 'animated';
    if (type === 'IDAT') hasPixels = true;
    if (type === 'IEND') return hasPixels && end === bytes.length ? size : 'damaged';
    at = end;
  }
  return 'damaged';
}

const JPEG_BEGIN = Buffer.from([0xff, 0xd8, 0xff]);
const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Markers from C0 to CF that start no frame: tables, and a reserved one. */
const NO_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/** JPEG (ITU-T T.81) annex B: segments with lengths, and after the start of a scan its data up to the next marker. */
function sizeOfJpeg(bytes: Buffer): Size | PictureFault {
  let size: Size | null = null;
  for (let at = 2; at + 2 <= bytes.length;) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) return 'damaged';
    if (marker === END_OF_IMAGE) return size !== null && at + 2 === bytes.length ? size : 'damaged';
    // Any number of FF bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker < 0xc0 || marker === START_OF_IMAGE || isRestart(marker) || at + 4 > bytes.length)
      return 'damaged';
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return 'damaged';
    if (marker <= 0xcf && !NO_FRAMES.has(marker)) {
      if (size !== null || end < at + 10) return 'damaged';
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at = marker === START_OF_SCAN ? endOfScan(bytes, end) : end;
  }
  return 'damaged';
}

/** The position of the marker that ends the data of a scan; the length of the bytes when there is none. */
function endOfScan(bytes: Buffer, from: number): number {
  for (
    let at = bytes.indexOf(0xff, from);
    at >= 0 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const next = bytes.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
  }
  return bytes.length;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
const ANIMATION_FLAG = 0x02;
const LOSSY_START = 0x9d012a;
const LOSSLESS_START = 0x2f;

/** WebP (RFC 9649): RIFF chunks of even length. One of them is the picture, and VP8X repeats its size. */
function sizeOfWebp(bytes: Buffer): Size | PictureFault {
  if (bytes.length < RIFF_HEADER || bytes.readUInt32LE(4) + CHUNK_HEADER !== bytes.length) return 'damaged';
  let canvas: Size | null = null;
  let size: Size | null = null;
  let at = RIFF_HEADER;
  while (at + CHUNK_HEADER <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4);
    const type = text(bytes, at);
    const data = bytes.subarray(at + CHUNK_HEADER, at + CHUNK_HEADER + length);
    at += CHUNK_HEADER + length + (length % 2);
    if (at > bytes.length) return 'damaged';
    if (type === 'ANIM' || type === 'ANMF') return 'animated';
    if (type === 'VP8X') {
      if (canvas !== null || data.length < 10) return 'damaged';
      if ((data.readUInt8(0) & ANIMATION_FLAG) !== 0) return 'animated';
      canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
    }
    if (type === 'VP8 ' || type === 'VP8L') {
      if (size !== null) return 'damaged';
      size = type === 'VP8 ' ? sizeOfLossy(data) : sizeOfLossless(data);
      if (size === null) return 'damaged';
    }
  }
  if (size === null || at !== bytes.length) return 'damaged';
  const fits = canvas === null || (canvas.width === size.width && canvas.height === size.height);
  return fits ? size : 'damaged';
}

/** Fourteen bits for each side. The two bits above them are a scaling hint. */
const SIDE_BITS = 0x3fff;

function sizeOfLossy(data: Buffer): Size | null {
  if (data.length < 10 || data.readUIntBE(3, 3) !== LOSSY_START) return null;
  return { width: data.readUInt16LE(6) & SIDE_BITS, height: data.readUInt16LE(8) & SIDE_BITS };
}

function sizeOfLossless(data: Buffer): Size | null {
  if (data.length < 5 || data.readUInt8(0) !== LOSSLESS_START) return null;
  const sides = data.readUInt32LE(1);
  return { width: (sides & SIDE_BITS) + 1, height: ((sides >>> 14) & SIDE_BITS) + 1 };
}

/** Four characters: the name of a picture's part. */
function text(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4);
}
