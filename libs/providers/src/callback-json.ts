import { exceededBound, isStorable, parseJson, unfitText } from '@fundrail/contracts';
import { UnreadableCallback } from './answer.ts';

const BOUNDS = { values: 5_000, depth: 32 };
/** A PostgreSQL index accepts at most 2,704 bytes; no provider sends texts that long. */
const LONGEST_BYTES = 2_048;
/** The longest id that an adapter accepts: a reference, an event's id, a token. */
export const LONGEST_ID = 255;

/**
 * Parses a callback with a valid signature. Throws `UnreadableCallback` when it is not JSON, or contains text that cannot be
 * stored: a NUL, half of a surrogate pair, a text above 2 KiB. So invalid callbacks get a 400, and no service stores them.
 */
export function callbackJson(rawBody: string): unknown {
  if (exceededBound(rawBody, BOUNDS)) throw new UnreadableCallback('the callback is too large');
  const body = parsed(rawBody);
  const path = unfitText(body, isKept);
  if (path) throw new UnreadableCallback(`the callback has a text that cannot be stored: ${path.join('.')}`);
  return body;
}

/** Whether all texts in a provider's answer can be stored. */
export function isKeepable(body: unknown): boolean {
  return unfitText(body, isStorable) === null;
}

function isKept(text: string): boolean {
  return isStorable(text) && Buffer.byteLength(text) <= LONGEST_BYTES;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new UnreadableCallback('the callback is not JSON');
  }
}
