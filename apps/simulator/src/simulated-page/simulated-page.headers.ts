import { pageHeaders } from '@fundrail/service-kit/http';
import { SIMULATED_PAGE_STYLE_HASH } from './simulated-page.view.ts';

/** The headers of a simulated page. `formAction` is the only allowed target of its forms; `scriptHash` allows its only script. */
export function simulatedPageHeaders(
  formAction: string,
  scriptHash?: string,
): Readonly<Record<string, string>> {
  return pageHeaders({
    styleHash: SIMULATED_PAGE_STYLE_HASH,
    scriptHash,
    formAction,
    referrer: 'no-referrer',
  });
}
