import { renderGuide } from './render-guide.ts';

const rendered = (markdown: string) => renderGuide('docs/guides/one.md', `# One\n\n${markdown}`).html;

describe('rendering a guide', () => {
  it.each([
    ['[a](../mandates.md#debit)', '<a href="/docs/guides/mandates#debit">a</a>'],
    ['[a](../openapi.json)', '<a href="/openapi.json">a</a>'],
    ['[a](../../README.md#the-first-five-calls)', '<a href="/docs/guides/first-purchase#curl">a</a>'],
    ['[a](#one)', '<a href="#one">a</a>'],
    ['[a](https://example.com/b)', '<a href="https://example.com/b">a</a>'],
  ])('leads %s to %s', (markdown, html) => {
    expect(rendered(markdown)).toContain(html);
  });

  it.each(['[a](../decisions/0001-x.md)', '[a](javascript:alert)', '[a](../../apps/x.ts)'])(
    'makes %s plain text, because it is not served',
    (markdown) => {
      expect(rendered(markdown)).toContain('<p>a</p>');
    },
  );

  it('leaves comments out, and escapes code', () => {
    const html = rendered('<!-- one -->\n\ntwo <!-- three --> four\n\n```sh\necho "<b>"\n```\n\n`<c>`');
    expect(html).toMatch(/<p>two {2}four<\/p>/);
    expect(html).not.toContain('<!--');
    expect(html).toContain('echo &quot;&lt;b&gt;&quot;');
    expect(html).toContain('<code>&lt;c&gt;</code>');
  });

  it.each(['name.<suffix>@valid', '<script>a()</script>', '<!-- a --> <b> -->', '| a |\n| - |\n| <c> |'])(
    'does not render %j, of which a reader would miss a part',
    (markdown) => {
      expect(() => rendered(markdown)).toThrow('docs/guides/one.md has raw HTML');
    },
  );

  it('has no header without words', () => {
    const html = rendered('| | a |\n| - | - |\n| b | c |');
    expect(html).toContain('<tr><td></td><th scope="col">a</th></tr>');
  });

  it('names headings as GitHub does', () => {
    expect(rendered('## A `b`: c d\n\n## A b c d\n\n## A b c d')).toMatch(
      /id="a-b-c-d"[^]*id="a-b-c-d-1"[^]*id="a-b-c-d-2"/,
    );
  });

  it('has the first paragraph without markup, and the words of each section', () => {
    const { title, summary, sections } = renderGuide(
      'docs/a.md',
      '# A\n\nOne `two` [three](b.md).\n\n## B\n\n- four\n- five\n',
    );
    expect([title, summary]).toEqual(['A', 'One two three.']);
    expect(sections).toEqual([
      { heading: 'A', id: '', text: 'One two three.' },
      { heading: 'B', id: 'b', text: 'four five' },
    ]);
  });
});
