import { fillBlocks, GENERATED, withoutBlocks } from './blocks.ts';

const FILE = ['kept: 1', '  # generated from TOPOLOGY: names', '  - old', '  # end of names', 'kept: 2'];
const filled = (lines: readonly string[], blocks: Readonly<Record<string, string>>) =>
  fillBlocks(lines.join('\n'), blocks, 'x.yaml').split('\n');

describe('the generated blocks of a file', () => {
  it('are replaced, indented as their marker, and nothing else is', () => {
    expect(filled(FILE, { names: '- one\n\n- two\n' })).toEqual([
      ...FILE.slice(0, 2),
      ...['  - one', '', '  - two'],
      ...FILE.slice(3),
    ]);
  });

  it('are read in comments of Markdown too', () => {
    const page = ['<!-- generated from TOPOLOGY: picture -->', 'old', '<!-- end of picture -->'];
    expect(filled(page, { picture: 'new' })).toEqual([page[0], 'new', page[2]]);
  });

  it.each([
    ['that is not filled', FILE, {}, 'x.yaml has the blocks names, and not '],
    ['that the file does not have', FILE, { names: '', other: '' }, 'and not names, other'],
    ['without an end', FILE.slice(0, 3), { names: '' }, 'x.yaml: "names" has no end'],
    [
      'with the end of another',
      [...FILE.slice(0, 3), '# end of others'],
      { names: '' },
      '"names" has no end',
    ],
  ])('are refused with one %s', (_, lines, blocks, error) => {
    expect(() => filled(lines, blocks)).toThrow(error);
  });

  it('do not count as written by hand, nor does a file that is generated as a whole', () => {
    expect(withoutBlocks(FILE.join('\n')).split('\n')).toEqual(FILE.filter((line) => line !== '  - old'));
    expect(withoutBlocks(`${GENERATED}\nmore`)).toBe('');
  });
});
