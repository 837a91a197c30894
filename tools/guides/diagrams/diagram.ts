import { sequenceDiagram } from './sequence-diagram.ts';
import { stateDiagram } from './state-diagram.ts';

const KINDS: Readonly<Record<string, (name: string, lines: readonly string[]) => string>> = {
  'stateDiagram-v2': stateDiagram,
  sequenceDiagram,
};

/**
 * A Mermaid text as an `svg` element that needs no inline style and no script. Its words are its description for screen readers. Throws on what
 * is not drawn, so that no guide is built with a picture that lacks something.
 */
export function diagram(name: string, mermaid: string): string {
  const [kind = '', ...lines] = mermaid
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const draw = KINDS[kind];
  if (!draw) throw new Error(`a diagram of the kind ${kind} is not drawn`);
  return draw(name, lines);
}
