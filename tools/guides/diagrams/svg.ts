import { escaped } from '../escaped.ts';

/** Text and lines of a diagram. The page is white, so one dark colour has contrast enough. */
export const INK = '#1b2430';
/** What the boxes are filled with. */
export const PAPER = '#eef6f3';
/** Graphviz knows the widths of Arial, and a browser without it has letters of the same widths. */
export const FONT = 'Arial,Helvetica,sans-serif';
/** In pixels, as in the tables of a page. */
export const FONT_SIZE = 14;

/** The `svg` element around drawn elements. Its size is in pixels; its name and its description are what a screen reader says. */
export function svgElement(name: string, words: string, size: Size, drawn: string): string {
  const [width, height] = [Math.ceil(size.width), Math.ceil(size.height)];
  return `<svg role="img" aria-label="${escaped(name)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><desc>${escaped(words)}</desc>${drawn}</svg>`;
}

interface Size {
  readonly width: number;
  readonly height: number;
}
