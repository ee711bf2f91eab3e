import type { Evidence } from "../check-result.ts";
import type { MailHostProbe, StartTls, TlsFacts } from "../mail-host-probe/mail-host-probe.ts";

const MAX_NAMES = 10;

/** Answers of a mail server at each address, as evidence. */
export function smtpEvidence({ name, at, addresses }: MailHostProbe): Evidence[] {
  return addresses.map((one): Evidence => {
    const asked = { name: `${name} (${one.address})`, type: "SMTP", at } as const;
    const greeting = one.greeting === undefined ? [] : [one.greeting];
    if (one.outcome !== "answered") return { ...asked, rcode: "ERROR", data: greeting, reason: one.reason };
    return { ...asked, rcode: "NOERROR", data: [...greeting, ...described(one.startTls)] };
  });
}

function described(startTls: StartTls): string[] {
  if (startTls.kind === "works") return describedTls(startTls.tls);
  if (startTls.kind !== "not_offered") return [`STARTTLS: ${startTls.reason}`];
  return [startTls.isMasked ? "STARTTLS is masked with X" : "STARTTLS is not offered"];
}

function describedTls({ protocol, cipher, certificate, certificates, untrusted }: TlsFacts): string[] {
  const { subject, issuer, names, validFrom, validTo } = certificate;
  const shown = names.slice(0, MAX_NAMES).join(", ");
  return [
    `${protocol} ${cipher}`,
    `subject: ${subject}`,
    `issuer: ${issuer}`,
    `names: ${names.length > MAX_NAMES ? `${shown}, and ${names.length - MAX_NAMES} more` : shown}`,
    `valid: ${validFrom.toISOString()} to ${validTo.toISOString()}`,
    `sent: ${certificates.length}`,
    `authority: ${untrusted ?? "public"}`,
  ];
}
