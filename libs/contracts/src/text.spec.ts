import { shownName } from './text.ts';

describe('a name that is shown on a page', () => {
  const taken = (text: string) => shownName(20).safeParse(text);

  it.each([
    ['Latin', 'Acme Wealth'],
    ['with marks of HTML, which the page escapes', '<script>x</script>'],
    ['Hindi with its joiners', 'क्\u200dष फंड'],
    ['Arabic, as it is written', 'صندوق'],
    ['of the longest length', 'x'.repeat(20)],
  ])('given a name %s, then it is taken', (_, text) => {
    expect(taken(text)).toMatchObject({ success: true, data: text });
  });

  it('given space around a name, then it is taken without', () => {
    expect(taken('  Acme ').data).toBe('Acme');
  });

  it.each([
    ['nothing', ''],
    ['space alone', '   '],
    ['too long', 'x'.repeat(21)],
    ['a line break', 'a\nb'],
    ['NUL', 'a\0b'],
    ['an override of the direction', 'a\u202eb'],
    ['an isolate', 'a\u2066b'],
    ['a mark of direction', 'a\u200fb'],
    ['a space without width', 'a\u200bb'],
    ['a separator of lines', 'a\u2028b'],
    ['a byte order mark', 'a\ufeffb'],
    ['half a pair', 'a\ud800b'],
    ['no letter and no digit', '--- !!'],
    ['joiners alone', '\u200d\u200d'],
  ])('given %s, then it is refused', (_, text) => {
    expect(taken(text).success).toBe(false);
  });
});
