import { createHash } from "node:crypto";

// System colors of the reader's scheme; the browser ensures their contrast.
const STYLE = `
      :root { color-scheme: light dark; }
      body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; }
      h1 { font-size: 1.5rem; line-height: 1.25; }
      button { font: inherit; min-height: 2.75rem; padding: 0.5rem 1.5rem; cursor: pointer; }
      label, input { display: block; width: 100%; box-sizing: border-box; }
      input { font: inherit; min-height: 2.75rem; padding: 0.25rem 0.5rem; margin: 0.25rem 0 1rem; }
      :is(button, input):focus-visible { outline: 3px solid; outline-offset: 3px; }
      [hidden] { display: none; }
      p, li { overflow-wrap: anywhere; }
      h2 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
      .actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.5rem 0; }
      .entry { border-top: 1px solid; padding-top: 0.75rem; }
      .entry p { margin: 0 0 0.5rem; }
      .lines { white-space: pre-wrap; }
      .dim { font-size: 0.875rem; }
      .history { padding-left: 1.25rem; font-size: 1rem; }
      .history li { margin-bottom: 0.5rem; }
    `;

function policy(...ofItsKind: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
    "img-src data:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...ofItsKind,
  ].join("; ");
}

// The address of a page is a secret of the recipient, so it goes to no other site and no search index.
const secretive = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex" } as const;

/** Headers of a page without requests and scripts; its form posts to the same page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  ...secretive,
  "content-security-policy": policy("form-action 'self'"),
};

/**
 * A page for people who follow a link in a mail.
 * @param content HTML; foreign text in it must be escaped with `escapeHtml`
 */
export function htmlPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>
`;
}
