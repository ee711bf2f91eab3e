import type { Started } from "./start.ts";

/** What a person sees when Hermod is up. */
export function announcement({ addresses, adminUrl, firstRun }: Started, firstRunFile: string): string {
  const where = `Hermod is running.

  API      ${addresses.baseUrl}   (documentation: ${addresses.baseUrl}/docs)
  Sandbox  ${adminUrl}/sandbox   (captured mail; nothing leaves this machine until a routing policy says so)
`;
  if (!firstRun) return where;
  const body = JSON.stringify({
    from: `Hermod <${firstRun.sender}>`,
    to: "you@example.org",
    subject: "Hello from Hermod",
    html: "<h1>It works</h1><p>This is my first message.</p>",
  });
  return `${where}
This is the first run: an account was made. Its secrets are in ${firstRunFile}

  API key  ${firstRun.apiKey}
  Sender   ${firstRun.sender}

Send your first message:

  curl ${addresses.baseUrl}/v1/email/send \\
    -H 'X-API-Key: ${firstRun.apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '${body}'

and see it at ${adminUrl}/sandbox
`;
}
