import { PAGE_STYLE } from '@fundrail/service-kit/http';

/** The style of the dashboard: the common page style and its own additions. */
export const DASHBOARD_STYLE = `${PAGE_STYLE}
:root { --warn: #7a4b00; --warn-tint: #fdf1dc; }
@media (prefers-color-scheme: dark) { :root { --warn: #f5c069; --warn-tint: #37290f; } }
.bar { padding: .35rem 1.25rem; min-height: 3.25rem; }
.bar strong a { padding-left: 0; padding-right: 0; font-size: 1.05rem; text-decoration: none; }
.bar form { display: flex; align-items: center; gap: .9rem; margin: 0; }
.bar button { width: auto; min-height: 2.25rem; padding: .25rem .9rem; border-color: currentColor; border-radius: 999px; color: inherit; font-size: .95rem; font-weight: 500; }
.bar button:focus-visible { outline-color: var(--brand-ink); outline-offset: 1px; }
main { max-width: 66rem; }
main a { color: var(--brand); }
.way ol { display: flex; flex-wrap: wrap; margin: 0; padding: .75rem 1.25rem; list-style: none; font-size: .95rem; }
.way li + li::before { content: "/"; margin: 0 .6rem; color: var(--soft); }
.way a { display: inline-block; padding: .25rem 0; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875rem; }
code { overflow-wrap: anywhere; }
pre { margin: 0; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--ground); white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; }
.head { display: flex; flex-wrap: wrap; align-items: flex-start; justify-content: space-between; gap: .6rem 1.25rem; }
.head > div { flex: 1 1 18rem; min-width: 0; }
.head h1 { margin-top: .4rem; }
.head form { margin: 0; }
.head button { width: auto; padding-left: 1.4rem; padding-right: 1.4rem; }
.state { display: inline-block; padding: .1rem .65rem; border-radius: 999px; background: var(--tint); color: var(--good); font-size: .875rem; font-weight: 600; white-space: nowrap; }
.state.warn { background: var(--warn-tint); color: var(--warn); } .state.bad { background: var(--bad-tint); color: var(--bad); }
.state.idle { background: var(--ground); color: var(--soft); }
.facts { display: grid; align-items: baseline; gap: .1rem 1.5rem; margin: 1.1rem 0 0; }
.facts dt { margin-top: .5rem; color: var(--soft); font-size: .9rem; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.chips { display: flex; flex-wrap: wrap; gap: .35rem; margin: 0; padding: 0; list-style: none; }
.chips li { padding: .05rem .55rem; border: 1px solid var(--line); border-radius: 7px; }
.rows { margin: .9rem 0 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.rows > li { display: grid; gap: .2rem 1.1rem; padding: .8rem 0; border-bottom: 1px solid var(--line); }
.rows p { margin: 0; } .rows .name { font-weight: 600; overflow-wrap: anywhere; }
.filters { display: flex; flex-wrap: wrap; gap: .4rem; }
.filters a { padding: .3rem .85rem; border: 1px solid var(--field); border-radius: 999px; color: var(--ink); font-size: .95rem; text-decoration: none; }
.filters a[aria-current] { border-color: var(--brand); background: var(--brand); color: var(--brand-ink); font-weight: 600; }
.pages { display: flex; justify-content: space-between; gap: 1rem; margin: 1rem 0 0; }
.done { margin: 0; padding: .7rem 1.25rem; background: var(--tint); font-weight: 600; }
details { border-top: 1px solid var(--line); } details:last-child { border-bottom: 1px solid var(--line); }
summary { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .9rem; min-height: 3rem; padding: .6rem 0; cursor: pointer; }
summary::before { content: "▸"; width: 1ch; color: var(--soft); } [open] > summary::before { content: "▾"; }
details > *:not(summary) { margin: 0 0 1rem; }
h3 { margin: 1.1rem 0 .4rem; font-size: .95rem; color: var(--soft); font-weight: 600; }
.narrow { max-width: 27rem; margin: 0 auto; } .narrow form { margin-top: 1.1rem; gap: .35rem; } .narrow button { margin-top: .8rem; } .narrow label { margin-top: .5rem; }
.narrow details { margin-top: 1.25rem; } .narrow .error { margin-top: 1rem; }
@media (min-width: 52rem) {
  .way ol { padding: 0 0 .9rem; }
  .card + .card { margin-top: 1.25rem; }
  .done { margin-bottom: 1.25rem; border-radius: 12px; }
  .facts { grid-template-columns: max-content minmax(0, 1fr); } .facts dt, .facts dd { margin-top: .4rem; }
  .endpoints > li { grid-template-columns: 7.5rem minmax(0, 1fr); }
  .deliveries > li { grid-template-columns: 7.5rem minmax(0, 1fr) minmax(0, 15rem) max-content; align-items: baseline; }
}
@media (forced-colors: active) { .state, .done { border: 1px solid; } }
`;
