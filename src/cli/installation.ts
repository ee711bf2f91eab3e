import {
  type Installation,
  InstallationSchema,
  type SmtpAccess,
} from "../../gen/hermod/installation/v1/installation_service_pb.ts";
import { alignRows, table } from "./output/table.ts";
import { printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

const UNKNOWN = "unknown";

/** `hermod installation`: addresses, system mail, sign-in, and limits with their use by an account. */
export const installation = showCommand({
  name: "installation",
  description: "Show the addresses, sign-in methods and limits of the installation.",
  call: ({ core, account: accountId }) => core.installation.getInstallation({ accountId }),
  of: "installation",
  schema: InstallationSchema,
  text: (found: Installation, { paint }) => {
    const { version, commit, baseUrl, smtp, systemMail, signIn, limits } = found;
    const facts = alignRows([
      ["Hermod", printable(commit ? `${version}+${commit}` : version)],
      ["API", printable(baseUrl ?? UNKNOWN)],
      ["SMTP", printable(smtpText(smtp))],
      ["System mail", printable(systemMail)],
      ["Sign-up", signIn?.signUp ? "open" : "closed"],
      ["Provider", printable(signIn?.oidcName ?? "none")],
    ]);
    const rows = (limits?.resources ?? []).map(({ resource, limit, used }) => [
      printable(resource),
      used === undefined ? "" : String(used),
      String(limit),
    ]);
    const rates = (limits?.rates ?? []).map(({ rate, limit, windowSeconds, used }) => [
      printable(rate),
      used === undefined ? "" : String(used),
      `${limit} in ${windowSeconds} s`,
    ]);
    return [
      ...[...facts, ""],
      table(paint, ["RESOURCE", "USED", "LIMIT"], rows, "No limits."),
      ...["", table(paint, ["RATE", "USED", "LIMIT"], rates, "No rate limits.")],
    ].join("\n");
  },
});

function smtpText(smtp: SmtpAccess | undefined): string {
  if (!smtp) return UNKNOWN;
  return smtp.endpoints
    .map(({ host, port, tls }) => `${tls === "implicit" ? "smtps" : "smtp"}://${host ?? "*"}:${port}`)
    .join(", ");
}
