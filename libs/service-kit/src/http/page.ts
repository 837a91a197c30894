import { hasPlainHost } from '@fundrail/contracts';
import type { FastifyReply } from 'fastify';

/** A complete answer for `sendPage`. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

export function sendPage(reply: FastifyReply, page: Page): void {
  void reply.status(page.status).headers(page.headers).send(page.html);
}

interface PageRights {
  /** `cspHash` of its inline style and of its inline script. */
  readonly styleHash: string;
  readonly scriptHash?: string | undefined;
  /** The targets of its forms, as source expressions of the policy. */
  readonly formAction: string;
  /** Whether its script may call us. */
  readonly connects?: boolean;
  /** Whether it may show our pictures. */
  readonly pictures?: boolean;
  /** `same-origin` when its own forms need their Origin; other sites never see its address. */
  readonly referrer: 'no-referrer' | 'same-origin';
}

/**
 * The origin of an address as a source of a policy, or nothing when its host could end the directive. Such addresses may have been
 * stored before they were refused.
 */
export function policySources(address: string): readonly string[] {
  const url = URL.parse(address);
  return url && url.origin !== 'null' && hasPlainHost(url) ? [url.origin] : [];
}

/** The headers of a page: it loads only what its rights allow, cannot be framed and is not cached. */
export function pageHeaders(rights: PageRights): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src ${rights.styleHash}`,
    ...(rights.scriptHash === undefined ? [] : [`script-src ${rights.scriptHash}`]),
    ...(rights.connects ? ["connect-src 'self'"] : []),
    ...(rights.pictures ? ["img-src 'self'"] : []),
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
