const links = [
  { href: "/healthz", title: "Health", about: "This process is alive." },
  { href: "/readyz", title: "Readiness", about: "What this process depends on, and whether it answers." },
  { href: "/metrics", title: "Metrics", about: "For Prometheus." },
];

const sandboxLink = { href: "/sandbox", title: "Sandbox inbox", about: "Messages captured instead of sent." };

/** The first page of the admin port. */
export function indexHtml(hasSandbox: boolean): string {
  const items = [...(hasSandbox ? [sandboxLink] : []), ...links]
    .map(
      ({ href, title, about }) =>
        `<li><a href="${href}"><strong>${title}</strong><span>${about}</span></a></li>`,
    )
    .join("\n      ");
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Hermod admin</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/admin.css">
</head>
<body>
  <main class="index">
    <h1>Hermod</h1>
    <p>The admin port of this process.</p>
    <ul>
      ${items}
    </ul>
  </main>
</body>
</html>
`;
}
