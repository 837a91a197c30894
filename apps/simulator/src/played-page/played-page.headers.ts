import { pageHeaders } from '@fundrail/service-kit/http';
import { PLAYED_PAGE_STYLE_HASH } from './played-page.view.ts';

/** With what a played page is sent. `formAction` is the one place that its forms may go to; `scriptHash` lets its one script pass. */
export function playedPageHeaders(formAction: string, scriptHash?: string): Readonly<Record<string, string>> {
  return pageHeaders({ styleHash: PLAYED_PAGE_STYLE_HASH, scriptHash, formAction, referrer: 'no-referrer' });
}
