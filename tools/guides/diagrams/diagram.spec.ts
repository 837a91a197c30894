import { diagram } from './diagram.ts';

const drawn = (...lines: readonly string[]) => diagram('one', lines.join('\n'));

describe('a diagram of states', () => {
  const picture = drawn('stateDiagram-v2', '  [*] --> A: create', '  A --> B: go, leap', '  B --> [*]');

  it('says its steps in words, and shows each state and each trigger', () => {
    expect(picture).toContain('<svg role="img" aria-label="one" ');
    expect(picture).toContain('<desc>begins as A by create; A to B by go, leap. Final: B.</desc>');
    for (const word of ['A', 'B', 'create', 'go', 'leap'])
      expect(picture).toMatch(new RegExp(`<text [^>]*>${word}</text>`));
  });

  it('has nothing that a second one in the same page repeats, and no tooltip', () => {
    expect(picture).not.toMatch(/ (?:id|class|style)=|<title>|<style>|<!--/);
  });
});

describe('a diagram of a course', () => {
  const names = ['sequenceDiagram', 'participant A as app', 'participant B as "b" & c'];

  it('says its messages in words, and shows them between those that take part', () => {
    const picture = drawn(...names, 'A->>B: ask', 'Note over A,B: a day', 'B--)A: an answer');
    expect(picture).toContain(
      '<desc>app to &quot;b&quot; &amp; c: ask; a day; &quot;b&quot; &amp; c to app: an answer.</desc>',
    );
    expect(picture.match(/<polyline /g)).toHaveLength(2);
    expect(picture.match(/stroke-dasharray="6 4"/g)).toHaveLength(1);
    expect(picture.match(/<text /g)).toHaveLength(5);
  });

  it('is as wide as its texts need', () => {
    const widthOf = (text: string) => Number(/ width="(\d+)"/.exec(drawn(...names, `A->>B: ${text}`))?.[1]);
    expect(widthOf('x'.repeat(60)) - widthOf('x'.repeat(40))).toBeCloseTo(20 * 14 * 0.55, -1);
  });
});

it.each([
  ['flowchart LR', 'A --> B'],
  ['stateDiagram-v2', 'A --> B', 'note right of A'],
  ['sequenceDiagram', 'participant A as app', 'A->>C: ask'],
  ['sequenceDiagram', 'participant A as app', 'autonumber'],
])('a text that is not drawn whole ends the build: %s, %s', (...lines) => {
  expect(() => drawn(...lines)).toThrow(/not (?:drawn|a step)|is drawn/);
});
