import { citedIn, rulesOf, specificationFaults, untestedPage } from './specification.ts';

const orders = {
  path: 'docs/specification/orders.md',
  text: '# Orders\n\n- **ORD-1** An order is placed.\n- **ORD-2** An order ends.\n',
};
const payments = { path: 'docs/specification/payments.md', text: '- **PAY-1** A payment is made.\n' };
const PAGES = [orders, payments];

describe('the rules of the specification', () => {
  it('given pages, when they are read, then each rule has its id, page and text', () => {
    expect(rulesOf(PAGES)).toEqual([
      { id: 'ORD-1', page: orders.path, text: 'An order is placed.' },
      { id: 'ORD-2', page: orders.path, text: 'An order ends.' },
      { id: 'PAY-1', page: payments.path, text: 'A payment is made.' },
    ]);
  });

  it('given a text, when it cites rules, then each is found once, and words that look alike are not', () => {
    const text = '/** PAY-1, ORD-2 and PAY-1 again; UTF-8, SHA-256, XPAY-1, PAY-1a, PAY-1-2 are none. */';
    expect(citedIn(text, rulesOf(PAGES))).toEqual(['PAY-1', 'ORD-2']);
  });

  it('given a text that cites from one rule to another, when it is read, then all between are cited', () => {
    expect(citedIn('ORD-1 to ORD-3, and PAY-1 to the end', rulesOf(PAGES))).toEqual([
      'ORD-1',
      'ORD-2',
      'ORD-3',
      'PAY-1',
    ]);
  });

  it('given pages and citations in order, when they are checked, then there is no fault', () => {
    expect(specificationFaults(PAGES, [{ path: 'apps/a.ts', text: '// ORD-1' }])).toEqual([]);
  });

  it('given an id on two lines, when it is checked, then both places are named', () => {
    const again = { path: 'docs/specification/orders-2.md', text: '- **ORD-1** Once more.' };
    expect(specificationFaults([orders, again], [])).toEqual([
      `ORD-1 is defined twice: in ${orders.path} and ${again.path}`,
      `ORD-1 is in ${again.path}, but ${orders.path} has its prefix`,
    ]);
  });

  it('given a citation of an unknown rule, when it is checked, then file and id are reported', () => {
    expect(specificationFaults(PAGES, [{ path: 'libs/b.ts', text: 'see PAY-9' }])).toEqual([
      'libs/b.ts cites PAY-9, which docs/specification does not define',
    ]);
  });

  it.each(['contract §4', 'Architecture §11', 'architecture, rule 2', 'interface §1.2'])(
    'given a citation of "%s", when it is checked, then file and citation are named',
    (outside) => {
      expect(specificationFaults(PAGES, [{ path: 'libs/b.ts', text: `/** As ${outside} says. */` }])).toEqual(
        [`libs/b.ts cites "${outside}": cite a rule of docs/specification`],
      );
    },
  );

  it('given a section of an RFC, when it is checked, then there is no fault', () => {
    expect(specificationFaults(PAGES, [{ path: 'libs/b.ts', text: 'as RFC 6749 §5.2 has it' }])).toEqual([]);
  });
});

describe('the list of rules that no test cites', () => {
  const page = (text: string, reasons = {}) => untestedPage(PAGES, [{ path: 'a.spec.ts', text }], reasons);

  it('given a test that cites a rule, when it is written, then that rule is not in it', () => {
    expect(page("it('ends (ORD-2)'")).toContain('2 of 3 rules');
    expect(page("it('ends (ORD-2)'")).toContain('Without a test or a reason so far: ORD-1, PAY-1.');
  });

  it('given a reason, when it is written, then the rule is in the table with it', () => {
    const written = page('ORD-2', { 'ORD-1': 'A measurement.', 'PAY-1': 'An absence.' });
    expect(written).toMatch(/\| \[ORD-1\]\(orders\.md\) +\| A measurement\. +\|/);
    expect(written).not.toContain('Without a test');
  });

  it.each(['ORD-2', 'ORD-9'])(
    'given a reason for %s, which is cited or not defined, then it throws',
    (id) => {
      expect(() => page('ORD-2', { [id]: 'None.' })).toThrow(`a test cites ${id}, so no reason is needed`);
    },
  );
});
