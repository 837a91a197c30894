/** Size limits of one JSON text. */
export interface JsonBounds {
  /** Lists, objects and commas, which is at least half of all values. */
  readonly values: number;
  /** Nested lists and objects. */
  readonly depth: number;
}

/** The part of `String` that is read. */
type Characters = Pick<string, 'length' | 'charCodeAt'>;

const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Returns the bound that a JSON text exceeds, or null. Reads each character at most once and stops at the bound, so a text is
 * refused before it is parsed. For text that is not JSON any result will do: the parser refuses it.
 */
export function exceededBound(text: Characters, bounds: JsonBounds): keyof JsonBounds | null {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(text, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > bounds.depth) return 'depth';
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
      default:
        continue;
    }
    if (values > bounds.values) return 'values';
  }
  return null;
}

/** The position of the closing quote of the string that begins here, or the end of the text. */
function endOfText(text: Characters, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at += 1;
  }
  return text.length;
}
