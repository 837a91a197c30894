import { PAGE_STYLE } from '@fundrail/service-kit/http';

/** The style of the checkout pages: the common style, and their own rules. */
export const CHECKOUT_STYLE = `${PAGE_STYLE}
.facilitator { margin-top: .75rem; padding: .7rem .9rem; border-radius: 12px; background: var(--tint); }
.facilitator p { margin: 0; } .facilitator p + p { margin-top: .15rem; }
.bar strong { display: flex; align-items: center; gap: .6rem; min-width: 0; } .logo { flex: none; width: auto; height: 2.25rem; max-width: 7rem; padding: .2rem; border-radius: 8px; background: #fff; object-fit: contain; }
dl { margin: 1rem 0 0; border-top: 1px solid var(--line); }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); } dd { margin: 0; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.scheme { display: block; color: var(--ink); font-weight: 600; overflow-wrap: anywhere; } .below { font-size: .9rem; } .whole { white-space: nowrap; }
dl .total dt, dl .total dd { color: var(--ink); font-weight: 700; }
.time { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .6rem; margin-top: .9rem; }
.time strong { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.apps { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .6rem; margin: .6rem 0 0; padding: 0; list-style: none; }
.apps li:first-child { grid-column: 1 / -1; }
.qr { margin: 1rem auto 0; max-width: 16rem; text-align: center; }
.qr svg { display: block; width: 100%; height: auto; padding: .5rem; border-radius: 14px; background: #fff; border: 1px solid var(--line); }
.qr figcaption { margin-top: .5rem; } .qr figcaption strong { display: block; overflow-wrap: anywhere; }
.with-script { display: none; } .live .with-script { display: block; }
details { margin: 0; } summary { min-height: 2.75rem; padding: .6rem 0; font-weight: 600; cursor: pointer; } .cancel summary { color: var(--bad); }
.fold { margin-top: .6rem; } .fold + button { margin-top: .8rem; }
[hidden] { display: none !important; }
.offline { margin: 0; padding: .7rem 1.25rem; background: var(--bad-tint); color: var(--bad); font-weight: 600; text-align: center; }
.strip { position: sticky; top: 0; z-index: 1; display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; margin: 0; padding: .55rem 1.25rem; background: var(--card); border-bottom: 1px solid var(--line); }
.strip span { overflow: hidden; color: var(--soft); text-overflow: ellipsis; white-space: nowrap; } .strip strong { font-size: 1.1rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
:is(#waiting, #waiting-app, .error) { outline: none; scroll-margin-top: 5rem; }
.turning { display: block; width: 2.5rem; height: 2.5rem; border: 4px solid var(--line); border-top-color: var(--brand); border-radius: 50%; }
@media (prefers-reduced-motion: no-preference) { .turning { animation: turn 1s linear infinite; } @keyframes turn { to { transform: rotate(1turn); } } }
.notice dl { max-width: 24rem; margin: 1.25rem auto 0; text-align: left; } .notice dl dd { white-space: normal; }
.notice .amount { margin-top: .5rem; font-size: 2rem; font-weight: 700; font-variant-numeric: tabular-nums; }
.mark { display: block; width: 4rem; height: 4rem; margin: 0 auto 1rem; border-radius: 50%; background: var(--tint); color: var(--good); font-size: 2rem; line-height: 4rem; }
.failure .mark { background: var(--bad-tint); color: var(--bad); } .pending .mark, .waiting .mark { color: var(--soft); }
.stack > * + * { margin-top: .6rem; }
.news { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 30rem) { .bar { flex-wrap: nowrap; } .bar a[aria-current] { display: none; } }
@media (min-width: 52rem) {
  .split { display: grid; grid-template-columns: minmax(0, 23rem) minmax(0, 1fr); gap: 1.25rem; align-items: start; }
  .ways { display: grid; gap: 1.25rem; }
  .summary { position: sticky; top: 1.25rem; } .strip { display: none; } .fold summary { display: none; }
}
@media (min-width: 52rem) and (pointer: fine) { .on-phone { display: none; } }
`;
