/**
 * The common style of all pages: light and dark colours, the bar, cards, headings, forms, buttons and notices. A page adds its own
 * style. All of it is inline and allowed by its hash, so a page loads nothing.
 */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ground: #eef1f5; --card: #fff; --ink: #15202b; --soft: #51606f; --line: #d5dce4;
  --brand: #0b5c4a; --brand-ink: #fff; --tint: #e6f2ee; --good: #0b6b3e; --bad: #a8201a; --bad-tint: #fdeceb; --field: #76838f; }
@media (prefers-color-scheme: dark) { :root { --ground: #0e1317; --card: #171e24; --ink: #e9eef2; --soft: #a5b2be; --line: #2c3640;
  --brand: #63d3b0; --brand-ink: #06231b; --tint: #15302a; --good: #5fd699; --bad: #ff9b94; --bad-tint: #3a1a19; --field: #8796a3; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Devanagari", "Nirmala UI", sans-serif; }
.bar { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .25rem 1rem; padding: .6rem 1.25rem; background: var(--brand); color: var(--brand-ink); }
.bar strong { font-size: 1.05rem; overflow-wrap: anywhere; }
.bar nav { display: flex; gap: .25rem; }
.bar a { display: inline-block; min-height: 2.75rem; padding: .6rem .75rem; border-radius: 999px; color: inherit; font-size: .95rem; text-decoration: underline; }
.bar a[aria-current] { background: var(--brand-ink); color: var(--brand); text-decoration: none; font-weight: 600; }
main { width: 100%; max-width: 60rem; margin: 0 auto; flex: 1; }
.card { background: var(--card); padding: 1.25rem; }
.card + .card { border-top: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { margin: 0 0 .6rem; font-size: 1.1rem; line-height: 1.3; }
p { margin: .4rem 0 0; }
.soft { color: var(--soft); font-size: .95rem; }
.button, button { display: block; width: 100%; min-height: 3rem; padding: .65rem 1rem; border: 1px solid var(--field); border-radius: 12px; background: transparent; color: var(--ink);
  font: inherit; font-weight: 600; line-height: 1.4; text-align: center; text-decoration: none; cursor: pointer; }
.button.main, button.main { border-color: var(--brand); background: var(--brand); color: var(--brand-ink); }
button.bad { border-color: var(--bad); color: var(--bad); }
.button:hover, button:hover { filter: brightness(1.07); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible { outline: 3px solid var(--brand); outline-offset: 3px; }
.bar a:focus-visible { outline-color: var(--brand-ink); outline-offset: 1px; }
form { display: grid; gap: .6rem; margin: .6rem 0 0; }
label { font-weight: 600; }
input, select { width: 100%; min-height: 3rem; padding: .6rem .8rem; border: 1px solid var(--field); border-radius: 12px; background: var(--card); color: var(--ink); font: inherit; }
[aria-invalid="true"] { border: 2px solid var(--bad); }
.error { margin: 0; padding: .6rem .8rem; border-radius: 10px; background: var(--bad-tint); color: var(--bad); font-weight: 600; }
.notice { padding: 2.25rem 1.25rem; text-align: center; }
.notice form, .notice .button { max-width: 24rem; margin: 1.25rem auto 0; }
.notice.success h1 { color: var(--good); } .notice.failure h1 { color: var(--bad); }
footer { padding: 1rem 1.25rem 1.5rem; color: var(--soft); font-size: .9rem; text-align: center; }
@media (min-width: 52rem) {
  main { padding: 2rem 1.25rem 0; }
  .card, .card + .card { border: 1px solid var(--line); border-radius: 18px; padding: 1.75rem; }
  .notice { max-width: 34rem; margin: 2rem auto; padding: 3rem 2rem; }
}
@media (forced-colors: active) { .card, .button, button, .error { border: 1px solid; } }
`;
