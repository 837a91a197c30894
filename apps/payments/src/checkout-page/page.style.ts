import { PAGE_STYLE } from '@fundrail/service-kit/http';

/** The style of the checkout's pages: that of all pages, and what only they have. */
export const CHECKOUT_STYLE = `${PAGE_STYLE}
.facilitator { margin-top: .75rem; padding: .7rem .9rem; border-radius: 12px; background: var(--tint); }
.facilitator p { margin: 0; } .facilitator p + p { margin-top: .15rem; }
dl { margin: 1rem 0 0; border-top: 1px solid var(--line); }
dl div { display: flex; justify-content: space-between; gap: 1.5rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); } dd { margin: 0; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
dl .total dt, dl .total dd { color: var(--ink); font-weight: 700; }
.time { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .6rem; margin-top: .9rem; }
.time strong { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.apps { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .6rem; margin: .6rem 0 0; padding: 0; list-style: none; }
.apps li:first-child { grid-column: 1 / -1; }
.qr { margin: 1rem auto 0; max-width: 16rem; text-align: center; }
.qr svg { display: block; width: 100%; height: auto; padding: .5rem; border-radius: 14px; background: #fff; border: 1px solid var(--line); }
.qr figcaption { margin-top: .5rem; } .qr figcaption strong { display: block; overflow-wrap: anywhere; }
.with-script { display: none; } .live .with-script { display: block; }
details { margin: 0; } summary { min-height: 2.75rem; padding: .6rem 0; color: var(--bad); font-weight: 600; cursor: pointer; }
.notice .amount { margin-top: .5rem; font-size: 2rem; font-weight: 700; font-variant-numeric: tabular-nums; }
.mark { display: block; width: 4rem; height: 4rem; margin: 0 auto 1rem; border-radius: 50%; background: var(--tint); color: var(--good); font-size: 2rem; line-height: 4rem; }
.failure .mark { background: var(--bad-tint); color: var(--bad); } .pending .mark, .waiting .mark { color: var(--soft); }
.stack > * + * { margin-top: .6rem; }
.news { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (min-width: 52rem) {
  .split { display: grid; grid-template-columns: minmax(0, 23rem) minmax(0, 1fr); gap: 1.25rem; align-items: start; }
  .ways { display: grid; gap: 1.25rem; }
  .summary { position: sticky; top: 1.25rem; }
}
@media (min-width: 52rem) and (pointer: fine) { .on-phone { display: none; } }
`;
