import type { FastifyReply } from 'fastify';

/** A whole answer: what `sendPage` sends. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

export function sendPage(reply: FastifyReply, page: Page): void {
  void reply.status(page.status).headers(page.headers).send(page.html);
}

/** What a page may do besides being shown. */
export interface PageRights {
  /** `cspHash` of its one inline style, and of its one inline script. */
  readonly styleHash: string;
  readonly scriptHash?: string | undefined;
  /** Where its forms may go, as source expressions of the policy. */
  readonly formAction: string;
  /** Whether its script may ask us. */
  readonly connects?: boolean;
  /** `same-origin` where its own forms need their Origin; nobody else ever sees its address. */
  readonly referrer: 'no-referrer' | 'same-origin';
}

/** The headers of a page that loads nothing, stands in no frame and is kept by nobody. */
export function pageHeaders(rights: PageRights): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src ${rights.styleHash}`,
    ...(rights.scriptHash === undefined ? [] : [`script-src ${rights.scriptHash}`]),
    ...(rights.connects ? ["connect-src 'self'"] : []),
    `form-action ${rights.formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': rights.referrer,
    'x-content-type-options': 'nosniff',
    // For browsers that do not know frame-ancestors.
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  };
}
