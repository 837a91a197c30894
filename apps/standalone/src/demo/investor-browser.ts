import type { Transcript } from './transcript.ts';

/** A page that the browser shows. */
export interface Shown {
  readonly url: string;
  readonly html: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

/** As much of a browser as the hosted page needs without JavaScript: cookies, redirects, forms. */
export class InvestorBrowser {
  private cookie = '';

  /** `publicOrigin` is the product's public address; its pages are requested at `baseUrl`. `headers` are what a proxy on the way adds. */
  constructor(
    private readonly baseUrl: string,
    private readonly publicOrigin: string,
    private readonly transcript: Transcript,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  get(url: string): Promise<Shown> {
    return this.ask('GET', url);
  }

  post(url: string, fields: Record<string, string>): Promise<Shown> {
    return this.ask('POST', url, new URLSearchParams(fields));
  }

  /** Presses the button with that value in the page's form, or its only button. */
  submit(page: Shown, action?: string, typed: Record<string, string> = {}): Promise<Shown> {
    const forms = [...page.html.matchAll(/<form method="post"[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => form);
    const form = forms.find((text) => !action || text.includes(`value="${action}"`));
    if (!form) throw new Error(`${page.url} has no form ${action ?? ''}`);
    const target = /<form[^>]*action="([^"]*)"/.exec(form)?.[1] ?? page.url;
    const fields = { ...fieldsIn(form), ...typed, ...(action ? { action } : {}) };
    return this.post(new URL(plain(target), page.url).href, fields);
  }

  /** The fields of the page's form. */
  fieldsOf(page: Shown): Record<string, string> {
    return fieldsIn(page.html);
  }

  /** A link of the page whose path contains `path`. */
  linkIn(page: Shown, path: string): string {
    const found = [...page.html.matchAll(/(?:href|action|url)="?([^"\s>]+)/g)].find(([, url]) =>
      url?.includes(path),
    );
    if (!found?.[1]) throw new Error(`${page.url} does not link to ${path}`);
    return plain(found[1]);
  }

  private async ask(method: 'GET' | 'POST', url: string, body?: URLSearchParams): Promise<Shown> {
    const { pathname, search } = new URL(url, this.baseUrl);
    const response = await fetch(`${this.baseUrl}${pathname}${search}`, {
      method,
      redirect: 'manual',
      headers: { ...this.headers, cookie: this.cookie, origin: this.publicOrigin, accept: 'text/html' },
      ...(body ? { body } : {}),
    });
    this.transcript.call(method, pathname, response.status, 'in the browser');
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.cookie = cookie.split(';')[0] ?? '';
    const location = response.headers.get('location');
    if (location) return this.get(new URL(location, `${this.baseUrl}${pathname}`).href);
    const html = await response.text();
    if (!response.ok)
      throw new Error(`${method} ${pathname} answered ${response.status}: ${html.slice(0, 500)}`);
    return { url, html };
  }
}

function fieldsIn(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input[^>]*\bname="([^"]*)"[^>]*\bvalue="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, plain(value)] as const));
}

function plain(text: string): string {
  return text.replaceAll(/&(?:amp|quot|#39|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
}
