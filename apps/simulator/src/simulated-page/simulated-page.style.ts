/** The style of the simulated UPI app and bank. It is inline and allowed by its hash: the page loads nothing. */
export const SIMULATED_PAGE_STYLE = `
:root { color-scheme: light dark; --ground: #eef0f6; --card: #fff; --ink: #171a2b; --soft: #5a6076; --line: #dfe2ec;
  --brand: #3b3fc4; --brand-ink: #fff; --tint: #eceefc; --good: #0b7a4b; --bad: #b3261e; --idle: #6a6f82; }
@media (prefers-color-scheme: dark) { :root { --ground: #0e1018; --card: #181b27; --ink: #eceef7; --soft: #a2a8bd; --line: #2c3142;
  --brand: #8b93ff; --brand-ink: #0e1018; --tint: #22263b; --good: #52d39b; --bad: #ff8a80; --idle: #a2a8bd; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.bar { background: var(--brand); color: var(--brand-ink); padding: .9rem 1.25rem; display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
.bar strong { letter-spacing: .02em; }
.bar span { font-size: .8rem; padding: .15rem .6rem; border: 1px solid currentColor; border-radius: 999px; }
main { width: 100%; max-width: 56rem; margin: 0 auto; flex: 1; padding: 0; }
.card { background: var(--card); padding: 1.75rem 1.25rem 2rem; min-height: 100%; }
.payee { display: flex; flex-direction: column; align-items: center; text-align: center; }
.avatar { width: 3.75rem; height: 3.75rem; border-radius: 50%; background: var(--tint); color: var(--brand); font-size: 1.6rem; font-weight: 700; line-height: 3.75rem; }
h1 { margin: .8rem 0 0; font-size: 1.15rem; font-weight: 600; overflow-wrap: anywhere; }
.vpa { margin: .1rem 0 0; color: var(--soft); font-size: .9rem; }
.amount { margin: .9rem 0 .1rem; font-size: 2.75rem; font-weight: 700; letter-spacing: -.03em; line-height: 1.15; font-variant-numeric: tabular-nums; }
.note { margin: 0; color: var(--soft); }
.status { margin: 1.25rem auto 0; padding: .75rem 1rem; max-width: 26rem; border-radius: 12px; background: var(--tint); text-align: center; }
.status h2 { margin: 0; font-size: 1.05rem; }
.status p { margin: .2rem 0 0; color: var(--soft); font-size: .92rem; }
.paid h2 { color: var(--good); } .declined h2 { color: var(--bad); } .expired h2, .not_issued h2, .unknown h2 { color: var(--idle); }
form { display: grid; gap: .7rem; max-width: 26rem; margin: 1.25rem auto 0; }
button { min-height: 3.1rem; padding: .6rem 1rem; border-radius: 12px; border: 1px solid var(--line); background: transparent; color: var(--ink); font: inherit; font-weight: 600; cursor: pointer; }
button.approve { background: var(--brand); border-color: var(--brand); color: var(--brand-ink); }
button.decline { color: var(--bad); border-color: currentColor; }
button.ignore { min-height: 2.75rem; border-color: transparent; color: var(--soft); font-weight: 500; }
button:hover { filter: brightness(1.08); }
button:focus-visible, a:focus-visible { outline: 3px solid var(--brand); outline-offset: 3px; }
.qr { margin: 1.75rem auto 0; max-width: 15rem; text-align: center; }
.qr svg { display: block; width: 100%; height: auto; padding: .75rem; border-radius: 14px; background: #fff; border: 1px solid var(--line); }
.qr p { margin: .6rem 0 0; color: var(--soft); font-size: .88rem; }
dl { max-width: 26rem; margin: 1.5rem auto 0; border-top: 1px solid var(--line); font-size: .92rem; }
dl div { display: flex; justify-content: space-between; gap: 1.5rem; padding: .55rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); flex: none; } dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
footer { padding: 1rem 1.25rem 1.5rem; color: var(--soft); font-size: .82rem; text-align: center; }
@media (min-width: 48rem) {
  main { padding: 3rem 1.5rem 1rem; flex: none; }
  .card { border-radius: 20px; padding: 2.5rem; box-shadow: 0 18px 50px rgb(20 24 60 / .12); min-height: 0; }
  .card.split { display: grid; grid-template-columns: 1fr 18rem; gap: 1rem 3rem; align-items: start; }
  .split .qr { grid-column: 2; grid-row: 1 / span 3; margin: 0; max-width: none; padding: 1.25rem; border-radius: 16px; background: var(--tint); }
  .split .payee, .split form, .split dl, .split .status { grid-column: 1; width: 100%; }
}
@media (forced-colors: active) { button, .status, .qr svg { border: 1px solid; } }
`;
