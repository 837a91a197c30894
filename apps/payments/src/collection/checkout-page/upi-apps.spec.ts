import { appLinks } from './upi-apps.ts';

const URI = 'upi://pay?pa=op%40bank&pn=A%20%26%20B&tr=X1&am=5000.00&cu=INR';

describe('links to UPI apps', () => {
  it('given a URI, when the links are built, then each app gets the same payment', () => {
    const links = appLinks(URI);
    expect(links[0]).toEqual({ name: null, href: URI });
    for (const { href } of links) expect(href.split('?')[1]).toBe(URI.split('?')[1]);
    expect(links.map(({ href }) => href.split('?')[0])).toContain('phonepe://pay');
  });
});
