/** Colors and fonts of every admin page. The contrast of text is at least 4.5:1 in both schemes (WCAG AA). */
export const adminCss = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7;
  --surface: #ffffff;
  --raised: #eef1f5;
  --line: #d8dde4;
  --text: #1a1f26;
  --muted: #56606d;
  --accent: #1f56c5;
  --accent-text: #ffffff;
  --selected: #e3ecfd;
  --danger: #b42318;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1116;
    --surface: #161a21;
    --raised: #1f252e;
    --line: #313945;
    --text: #e7ebf0;
    --muted: #a0abb9;
    --accent: #8fb4ff;
    --accent-text: #0b1220;
    --selected: #1d2c48;
    --danger: #ff9a90;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { height: 100%; }
body {
  margin: 0;
  min-height: 100%;
  background: var(--ground);
  color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1, h2, p { margin: 0; }
a { color: var(--accent); }
code, pre { font-family: var(--mono); font-size: 13px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.index { max-width: 40rem; margin: 0 auto; padding: 3rem 1.25rem; }
.index h1 { font-size: 1.5rem; letter-spacing: -0.01em; }
.index p { color: var(--muted); margin-top: 0.25rem; }
.index ul { list-style: none; margin: 1.5rem 0 0; padding: 0; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; }
.index li + li { border-top: 1px solid var(--line); }
.index li a { display: block; padding: 0.85rem 1.1rem; text-decoration: none; border-radius: 10px; }
.index li a:hover { background: var(--raised); }
.index li span { display: block; color: var(--muted); font-size: 0.9rem; }
`;
