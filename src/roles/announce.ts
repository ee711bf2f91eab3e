import type { Started } from "./start.ts";

export interface AnnouncementOptions {
  /** Path of first-run.json. */
  readonly firstRunFile: string;
  /** False: the output is kept somewhere, as a container's log is. */
  readonly isTerminal: boolean;
}

/** Characters before what a line says. */
const LABEL_WIDTH = 11;

/** What a person sees when Hermod is up: secrets only on a terminal. */
export function announcement(started: Started, { firstRunFile, isTerminal }: AnnouncementOptions): string {
  const { addresses, hasSandbox, smtpsPort, bouncePort, firstRun, roles, systemMail } = started;
  const { baseUrl, smtp, grpc, adminUrl } = addresses;
  const hasApi = roles.has("edge");
  const tlsPort = smtpsPort === undefined ? "" : `; with TLS from the start: port ${smtpsPort}`;
  const lines: readonly (readonly [label: string, text: string] | false | undefined)[] = [
    hasApi && ["API", `${baseUrl}   (documentation: ${baseUrl}/docs)`],
    hasApi && [
      "Dashboard",
      `${baseUrl}/dashboard${firstRun ? `   (sign in as ${firstRun.dashboardEmail})` : ""}`,
    ],
    !hasApi && grpc !== undefined && ["Core", `${grpc}   (gRPC)`],
    smtp && ["SMTP", `${smtp.host}:${smtp.port}   (relay, STARTTLS, with a sending key${tlsPort})`],
    bouncePort !== undefined && ["Bounces", `port ${bouncePort}   (SMTP)`],
    hasSandbox
      ? [
          "Sandbox",
          `${adminUrl}/sandbox   (captured mail; nothing leaves this machine until a routing policy says so)`,
        ]
      : ["Admin", `${adminUrl}   (health, metrics)`],
    systemMail === "captured" && [
      "Mail",
      `password resets and invitations are captured in the sandbox, for the operator alone;\n             to send them: hermod policy put FILE --account system`,
    ],
    systemMail === "off" && [
      "Mail",
      "Hermod sends no password resets and invitations: set HERMOD_MAIL_FROM to have them sent",
    ],
  ];
  const where = `Hermod is running.\n\n${lines
    .filter((line) => line !== false && line !== undefined)
    .map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text}\n`)
    .join("")}`;
  if (!firstRun) return where;
  const what = firstRun.isNew
    ? "This is the first run: an account was made. Its secrets are in"
    : "Nobody has used the account of the first run yet. Its secrets are in";
  const key = isTerminal ? firstRun.apiKey : "in that file, and printed to a terminal alone";
  const header = isTerminal
    ? `'X-API-Key: ${firstRun.apiKey}'`
    : `"X-API-Key: $(sed -n 's/^  "api_key": "\\(.*\\)",$/\\1/p' '${firstRunFile}')"`;
  return `${where}
${what} ${firstRunFile}

  Sign-in    ${firstRun.dashboardEmail}, password in that file
  API key    ${key}
  Sender     ${firstRun.sender}
${hasApi && baseUrl !== undefined ? firstMessage({ baseUrl, adminUrl, header, sender: firstRun.sender }) : ""}
Alerts are mailed to nobody until there is an alert rule. This one mails the critical alerts that no other rule takes:

  hermod alert-rule catch-all you@example.org --from ${firstRun.sender}
`;
}

interface FirstMessage {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** The header with the key, as a shell takes it. */
  readonly header: string;
  readonly sender: string;
}

function firstMessage({ baseUrl, adminUrl, header, sender }: FirstMessage): string {
  const body = JSON.stringify({
    from: `Hermod <${sender}>`,
    to: "you@example.org",
    subject: "Hello from Hermod",
    html: "<h1>It works</h1><p>This is my first message.</p>",
  });
  return `
Send your first message:

  curl ${baseUrl}/v1/email/send \\
    -H ${header} \\
    -H 'Content-Type: application/json' \\
    -d '${body}'

and see it at ${adminUrl}/sandbox
`;
}
