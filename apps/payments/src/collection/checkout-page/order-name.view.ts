import { html, type Html } from '@fundrail/service-kit/http';
import type { ShareRow } from '../../payment/payment.tables.ts';
import { schemeNameOf } from './schemes.ts';
import type { Say } from './texts.ts';

/** An order's name: its scheme with the fund house and the number, or the number alone. `bdi` keeps the writing direction of a name from changing the rest. */
export function orderName(share: ShareRow, say: Say): Html {
  const order = say('order', { order: share.old_id });
  const scheme = schemeNameOf(share);
  if (!scheme) return html`${order}`;
  const below =
    scheme.house === null
      ? html`${order}`
      : html`<bdi>${scheme.house}</bdi> · <span class="whole">${order}</span>`;
  return html`<bdi class="scheme">${scheme.name}</bdi><span class="below">${below}</span>`;
}
