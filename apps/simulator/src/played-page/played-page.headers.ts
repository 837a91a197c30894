import { PLAYED_PAGE_STYLE_HASH } from './played-page.view.ts';

/** With what a played page is sent. `formAction` is the one place that its forms may go to; `scriptHash` lets its one script pass. */
export function playedPageHeaders(formAction: string, scriptHash?: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src ${PLAYED_PAGE_STYLE_HASH}`,
    ...(scriptHash === undefined ? [] : [`script-src ${scriptHash}`]),
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}
