import { escaped } from '../escaped.ts';
import { FONT, FONT_SIZE, INK, PAPER, svgElement } from './svg.ts';

const PARTICIPANT = /^participant (\w+) as (.+)$/;
const MESSAGE = /^(\w+)(--?(?:>>|\)))(\w+): (.+)$/;
const NOTE = /^Note over (\w+),(\w+): (.+)$/;

/** Between two messages. */
const ROW = 40;
/** The height of a box with a name, and of a note. */
const BOX = 30;
const EDGE = 12;

interface Row {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** Null: a note over both. */
  readonly arrow: string | null;
}

/** Where each participant's line is drawn, by its short name. */
type Lines = ReadonlyMap<string, number>;

/** Draws the lines of a Mermaid `sequenceDiagram` of participants, messages between two of them, and notes. Throws on any other line. */
export function sequenceDiagram(name: string, lines: readonly string[]): string {
  const isName = (line: string) => PARTICIPANT.test(line);
  const names = new Map(
    lines.filter(isName).map((line) => {
      const [, short = '', long = ''] = PARTICIPANT.exec(line) ?? [];
      return [short, long] as const;
    }),
  );
  const rows = lines.filter((line) => !isName(line)).map((line) => rowOf(line, names));
  const places = placesOf(names, rows);
  const right = Math.max(...places.values());
  const last = EDGE + BOX + (rows.length + 0.5) * ROW;
  const width = right + widthOf([...names.values()].at(-1) ?? '') / 2 + EDGE;
  const drawn = [
    ...[...names].map(([short, long]) => participant(long, places.get(short) ?? 0, last)),
    ...rows.map((row, at) => drawnRow(row, places, EDGE + BOX + (at + 1) * ROW)),
  ];
  return svgElement(name, wordsOf(rows, names), { width, height: last + EDGE }, drawn.join(''));
}

function rowOf(line: string, names: ReadonlyMap<string, string>): Row {
  const [, from = '', arrow = '', to = '', text = ''] = MESSAGE.exec(line) ?? [];
  const [, left = '', right = '', note = ''] = NOTE.exec(line) ?? [];
  const row = text === '' ? { from: left, to: right, text: note, arrow: null } : { from, to, text, arrow };
  if (!names.has(row.from) || !names.has(row.to) || row.from === row.to)
    throw new Error(`not a line of a sequence diagram that is drawn: ${line}`);
  return row;
}

/** Lines so far apart that each name and each text has room. */
function placesOf(names: ReadonlyMap<string, string>, rows: readonly Row[]): Lines {
  const order = [...names.keys()];
  const places = new Map<string, number>();
  for (const [at, short] of order.entries()) {
    const own = widthOf(names.get(short) ?? '');
    const before = order[at - 1];
    let place = EDGE + own / 2;
    if (before !== undefined)
      place = (places.get(before) ?? 0) + (own + widthOf(names.get(before) ?? '')) / 2 + EDGE;
    for (const { from, to, text } of rows) {
      const other = from === short ? to : from;
      if (from === short || to === short) {
        const start = places.get(other);
        if (start !== undefined) place = Math.max(place, start + widthOf(text));
      }
    }
    places.set(short, place);
  }
  return places;
}

/** Letters are about half as wide as high; with room at both ends. */
const widthOf = (text: string) => text.length * FONT_SIZE * 0.55 + 2 * EDGE;

function participant(name: string, x: number, last: number): string {
  const width = widthOf(name);
  return `<line x1="${x}" y1="${EDGE + BOX}" x2="${x}" y2="${last}" stroke="#6b7686" stroke-dasharray="3 4"/>${box(x - width / 2, EDGE, width)}${label(name, x, EDGE + BOX / 2 + 5)}`;
}

function drawnRow({ from, to, text, arrow }: Row, lines: Lines, y: number): string {
  const [start, end] = [lines.get(from) ?? 0, lines.get(to) ?? 0];
  const middle = (start + end) / 2;
  if (arrow === null) {
    const width = Math.max(Math.abs(end - start), widthOf(text));
    return `${box(middle - width / 2, y - BOX / 2 - 4, width)}${label(text, middle, y + 1)}`;
  }
  const back = end > start ? end - 9 : end + 9;
  const dashes = arrow.startsWith('--') ? ' stroke-dasharray="6 4"' : '';
  // A filled head is a call or its answer; an open one is a message for whose answer no sender waits.
  const fill = arrow.endsWith('>>') ? INK : 'none';
  return `<line x1="${start}" y1="${y}" x2="${end}" y2="${y}" stroke="${INK}"${dashes}/><polyline points="${back},${y - 5} ${end},${y} ${back},${y + 5}" fill="${fill}" stroke="${INK}"/>${label(text, middle, y - 7)}`;
}

const box = (x: number, y: number, width: number) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${BOX}" rx="5" fill="${PAPER}" stroke="${INK}"/>`;

const label = (text: string, x: number, y: number) =>
  `<text x="${x}" y="${y}" text-anchor="middle" font-family="${FONT}" font-size="${FONT_SIZE}" fill="${INK}">${escaped(text)}</text>`;

function wordsOf(rows: readonly Row[], names: ReadonlyMap<string, string>): string {
  const sentences = rows.map(({ from, to, text, arrow }) =>
    arrow === null ? text : `${names.get(from) ?? ''} to ${names.get(to) ?? ''}: ${text}`,
  );
  return `${sentences.join('; ')}.`;
}
