/** The start page's style, inline and allowed by its hash. */
export const HOME_STYLE = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #5b6675; --line: #dde2e8; --ground: #f7f8fa; --card: #fff;
  --accent: #0b6b53; --code: #10202e; --code-ink: #e8eef4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaef; --soft: #9aa6b4; --line: #2b333d; --ground: #11161c;
  --card: #181f27; --accent: #5ccfab; --code: #0b1016; --code-ink: #dbe4ec; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { margin: 0; font-size: 2rem; letter-spacing: -.02em; }
h2 { margin: 2.75rem 0 .75rem; font-size: 1.2rem; letter-spacing: -.01em; }
p { margin: .5rem 0; }
.lead { max-width: 42rem; color: var(--soft); font-size: 1.05rem; }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: .5rem .6rem; margin: 1.25rem 0 0; }
nav a { padding: .4rem .85rem; border: 1px solid var(--line); border-radius: 999px; background: var(--card); text-decoration: none; font-size: .95rem; }
nav a:hover, nav a:focus-visible { border-color: var(--accent); }
dl { display: grid; grid-template-columns: max-content 1fr; margin: 0; border: 1px solid var(--line); border-radius: 10px; background: var(--card); overflow: hidden; }
dt, dd { margin: 0; padding: .55rem 1rem; border-top: 1px solid var(--line); }
dt:first-of-type, dt:first-of-type + dd { border-top: 0; }
dt { color: var(--soft); }
dd { overflow-wrap: anywhere; }
code, pre { font: .875rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
ol { list-style: none; margin: 0; padding: 0; }
li { margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); overflow: hidden; }
li header { display: flex; align-items: flex-start; gap: .85rem; padding: .85rem 1rem; }
li header div { flex: 1; }
li h3 { margin: 0; font-size: 1rem; }
li p { margin: .1rem 0 0; color: var(--soft); font-size: .925rem; }
.number { flex: none; width: 1.7rem; height: 1.7rem; border-radius: 50%; background: var(--accent); color: var(--card); font-size: .9rem; font-weight: 600; line-height: 1.7rem; text-align: center; }
pre { margin: 0; padding: .9rem 1rem; background: var(--code); color: var(--code-ink); overflow-x: auto; }
button { flex: none; padding: .3rem .7rem; border: 1px solid var(--line); border-radius: 7px; background: transparent; color: var(--ink); font: inherit; font-size: .85rem; cursor: pointer; }
button:hover, button:focus-visible { border-color: var(--accent); }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .9rem; }
@media (max-width: 34rem) { main { padding-top: 1.75rem; } dl { grid-template-columns: 1fr; } dt { padding-bottom: 0; }
  dd { padding-top: .1rem; border-top: 0; } }
`;
