import { instance } from '@viz-js/viz';
import { FONT, FONT_SIZE, INK, PAPER, svgElement } from './svg.ts';

const STEP = /^(\[\*\]|\w+) --> (\[\*\]|\w+)(?:: (.+))?$/;
const OUTSIDE = '[*]';
const viz = await instance();

interface Step {
  readonly from: string;
  readonly to: string;
  readonly triggers: string;
}

/**
 * Draws the lines of a Mermaid `stateDiagram-v2`. The begin is a dot, and a state from which nothing leads has a second border. Throws on a
 * line that is not a step.
 */
export function stateDiagram(name: string, lines: readonly string[]): string {
  const steps = lines.map(stepOf);
  const final = steps.filter(({ to }) => to === OUTSIDE).map(({ from }) => from);
  const moves = steps.filter(({ to }) => to !== OUTSIDE);
  const states = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  return layout(name, wordsOf(moves, final), [
    `graph [bgcolor=transparent, nodesep=0.5, ranksep=0.45]`,
    `node [shape=box, style="rounded,filled", fillcolor="${PAPER}", ${TEXT}, color="${INK}", margin="0.2,0.07", height=0.4]`,
    `edge [${TEXT}, color="${INK}", arrowsize=0.7]`,
    ...states.map((state) => nodeOf(state, final.includes(state))),
    ...moves.map(({ from, to, triggers }) => {
      // A line for each trigger, with room beside the arrow, also where the font is wider than Arial.
      const label = triggers
        .split(', ')
        .map((trigger) => `   ${trigger}   `)
        .join(String.raw`\n`);
      return `"${from}" -> "${to}" [label="${label}"]`;
    }),
  ]);
}

const TEXT = `fontname="${FONT}", fontsize=${FONT_SIZE}, fontcolor="${INK}"`;

function stepOf(line: string): Step {
  const [, from, to, triggers = ''] = STEP.exec(line) ?? [];
  if (from === undefined || to === undefined) throw new Error(`not a step of a state diagram: ${line}`);
  return { from, to, triggers };
}

function nodeOf(state: string, isFinal: boolean): string {
  if (state === OUTSIDE)
    return `"${OUTSIDE}" [shape=circle, label="", width=0.16, height=0.16, fillcolor="${INK}"]`;
  return `"${state}" [peripheries=${isFinal ? 2 : 1}]`;
}

function wordsOf(moves: readonly Step[], final: readonly string[]): string {
  const parts = moves.map(({ from, to, triggers }) =>
    from === OUTSIDE ? `begins as ${to} by ${triggers}` : `${from} to ${to} by ${triggers}`,
  );
  return `${parts.join('; ')}. Final: ${final.join(', ')}.`;
}

/** Graphviz places and draws. What names its elements is left out, because it repeats itself in a page with several pictures, and so is
 * the room around labels, which is only for the layout. */
function layout(name: string, words: string, statements: readonly string[]): string {
  const drawn = viz.renderString(`digraph { ${statements.join('; ')} }`, { format: 'svg' });
  const [, width, height, content] =
    /<svg width="(\d+)pt" height="(\d+)pt"[^>]*>\n([^]*)<\/svg>/.exec(drawn) ?? [];
  if (content === undefined) throw new Error(`Graphviz has drawn no picture of ${name}`);
  const plain = content
    .replaceAll(/<!--[^]*?-->\n|<title>[^]*?<\/title>\n/g, '')
    .replaceAll(/ (?:id|class|xml:space)="[^"]*"/g, '')
    .replaceAll(/(?<=>)(?: |&#160;)+|(?: |&#160;)+(?=<\/text>)/g, '');
  return svgElement(name, words, { width: Number(width), height: Number(height) }, plain);
}
