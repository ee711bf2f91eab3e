/** Layout of the inbox: two panes, one at a time below 760 px. */
export const inboxCss = `
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 0.5rem; top: 0.5rem; background: var(--surface); padding: 0.5rem 0.75rem; z-index: 2; }
[hidden] { display: none !important; }

body.inbox { display: flex; flex-direction: column; height: 100vh; height: 100dvh; overflow: hidden; }
.bar { display: flex; align-items: center; gap: 0.75rem; padding: 0.6rem 1rem; background: var(--surface); border-bottom: 1px solid var(--line); }
.bar h1 { font-size: 1rem; font-weight: 600; white-space: nowrap; }
.bar h1 a { color: inherit; text-decoration: none; }
.bar h1 span { color: var(--muted); font-weight: 400; }
.search { flex: 1; max-width: 26rem; margin-left: auto; min-width: 0; }
input, button {
  font: inherit; color: var(--text); background: var(--surface);
  border: 1px solid var(--line); border-radius: 7px; padding: 0.4rem 0.75rem; min-height: 2.25rem;
}
input { width: 100%; background: var(--ground); }
input::placeholder { color: var(--muted); opacity: 1; }
button { cursor: pointer; white-space: nowrap; }
button:hover:not(:disabled) { background: var(--raised); }
button:disabled { color: var(--muted); cursor: default; opacity: 0.7; }
button.danger { background: var(--danger); border-color: var(--danger); color: var(--surface); }
button.danger:hover { background: var(--danger); filter: brightness(1.08); }

.panes { flex: 1; display: grid; grid-template-columns: minmax(17rem, 24rem) 1fr; min-height: 0; }
.list { overflow-y: auto; background: var(--surface); border-right: 1px solid var(--line); }
.list ul { list-style: none; margin: 0; padding: 0; }
.list li { border-bottom: 1px solid var(--line); }
.list li a { display: block; padding: 0.6rem 1rem; color: inherit; text-decoration: none; border-left: 3px solid transparent; }
.list li a:hover { background: var(--raised); }
.list li a[aria-current] { background: var(--selected); border-left-color: var(--accent); }
.list li a:focus-visible { outline-offset: -2px; }
.list .line { display: flex; gap: 0.75rem; justify-content: space-between; align-items: baseline; }
.list bdi, .list .subject { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.list .subject { display: block; font-weight: 600; }
.list .small { font-size: 0.85rem; color: var(--muted); }
.list time { flex: none; font-variant-numeric: tabular-nums; }
.status { padding: 0.5rem 1rem; font-size: 0.85rem; color: var(--muted); border-bottom: 1px solid var(--line); }
.status.bad { color: var(--danger); }
#more { display: block; margin: 0.75rem auto; }

.reader { overflow-y: auto; min-width: 0; display: flex; flex-direction: column; }
.hint { margin: auto; text-align: center; color: var(--muted); padding: 2rem; }
.keys { font-size: 0.85rem; margin-top: 0.5rem; }
kbd { font: inherit; font-size: 0.8rem; padding: 0 0.35rem; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; background: var(--surface); }
.empty { max-width: 44rem; margin: auto; padding: 2rem 1.25rem; width: 100%; }
.empty h2 { font-size: 1.25rem; margin-bottom: 0.35rem; }
.empty p { color: var(--muted); }
.empty pre { margin: 1rem 0; padding: 0.9rem 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; }

.message { display: flex; flex-direction: column; flex: 1; min-height: 0; }
.message > header { padding: 1rem 1.25rem 0.75rem; }
.message h2 { font-size: 1.2rem; line-height: 1.35; overflow-wrap: anywhere; outline-offset: 4px; }
.message .back { display: none; margin-bottom: 0.6rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 0.9rem; margin: 0.6rem 0 0; font-size: 0.9rem; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.notice { margin: 0 1.25rem 0.75rem; padding: 0.5rem 0.75rem; border: 1px solid var(--danger); border-radius: 8px; color: var(--danger); }
.tabs { display: flex; gap: 0.15rem; padding: 0 1rem; border-bottom: 1px solid var(--line); overflow-x: auto; }
.tabs button { border: 0; border-radius: 7px 7px 0 0; background: none; color: var(--muted); padding: 0.5rem 0.8rem; border-bottom: 2px solid transparent; }
.tabs button[aria-selected="true"] { color: var(--text); font-weight: 600; border-bottom-color: var(--accent); }
.tabs button:focus-visible { outline-offset: -3px; }
.panel { flex: 1; min-height: 0; overflow: auto; background: var(--surface); display: flex; flex-direction: column; }
.panel > :not(iframe) { margin: 1rem 1.25rem; }
.panel > .quiet { color: var(--muted); }
.panel iframe { flex: 1; width: 100%; min-height: 22rem; border: 0; background: #ffffff; color-scheme: light; }
.panel pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.panel table { border-collapse: collapse; font-size: 0.9rem; }
.panel th, .panel td { text-align: left; vertical-align: top; padding: 0.3rem 0.9rem 0.3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.panel th { font-weight: 600; min-width: 7rem; }
.panel .files { list-style: none; padding: 0; }
.panel .files li { padding: 0.55rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.panel .files small { display: block; color: var(--muted); }
.panel .files img { display: block; max-width: min(100%, 20rem); max-height: 12rem; margin-top: 0.4rem; border: 1px solid var(--line); border-radius: 6px; }

dialog { border: 1px solid var(--line); border-radius: 12px; background: var(--surface); color: var(--text); padding: 1.25rem; max-width: min(26rem, calc(100vw - 2rem)); }
dialog::backdrop { background: rgb(0 0 0 / 0.5); }
dialog h2 { font-size: 1.1rem; margin-bottom: 0.35rem; }
dialog p { color: var(--muted); }
.choices { display: flex; flex-wrap: wrap; gap: 0.6rem; justify-content: flex-end; margin-top: 1.1rem; }
.noscript { position: fixed; inset: auto 0 0; padding: 0.75rem 1rem; background: var(--surface); border-top: 1px solid var(--line); }

@media (max-width: 759px) {
  .panes { grid-template-columns: minmax(0, 1fr); }
  .list { border-right: 0; }
  .bar { flex-wrap: wrap; padding: 0.6rem 0.75rem; }
  .bar h1 { flex: 1; }
  .search { order: 3; flex-basis: 100%; max-width: none; }
  body:not(.reading, .vacant) .reader, body.reading .list, body.vacant .list { display: none; }
  body.reading .bar .search, body.reading #clear { display: none; }
  .message .back { display: inline-block; }
  .message > header { padding: 0.9rem 1rem 0.6rem; }
  .tabs { padding: 0 0.4rem; }
  .tabs button { padding: 0.5rem 0.6rem; }
  .panel > :not(iframe) { margin: 0.8rem 1rem; }
  .panel th, .panel td { display: block; padding-right: 0; }
  .panel th { border-bottom: 0; padding-bottom: 0; }
}
@media (prefers-reduced-motion: no-preference) {
  .list li.fresh a { animation: fresh 1.6s ease-out; }
  @keyframes fresh { from { background: var(--selected); } }
}
`;
