import { appLinks, pageUriFault } from './upi-apps.ts';

const URI = 'upi://pay?pa=op%40bank&pn=A%20%26%20B&tr=X1&am=5000.00&cu=INR';

describe('links to UPI apps', () => {
  it('given a URI, when the links are made, then each app gets the same payment', () => {
    const links = appLinks(URI);
    expect(links[0]).toEqual({ name: null, href: URI });
    for (const { href } of links) expect(href.split('?')[1]).toBe(URI.split('?')[1]);
    expect(links.map(({ href }) => href.split('?')[0])).toContain('phonepe://pay');
  });

  it.each([
    [URI, null],
    [URI.replace('5000.00', '5000'), null],
    [URI.replace('5000.00', '5000.01'), 'is not for 5000.00'],
    [URI.replace('INR', 'USD'), 'is not in INR'],
    ['javascript:alert(1)', 'is no UPI linking URI'],
    ['https://evil.example/?am=5000.00&cu=INR', 'is no UPI linking URI'],
  ])('given %s, when it is judged, then it %s', (uri, fault) => {
    expect(pageUriFault(uri, '5000.00')).toBe(fault);
  });
});
