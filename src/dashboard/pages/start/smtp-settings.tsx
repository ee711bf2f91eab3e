import { Link } from "@tanstack/react-router";
import type { Installation } from "../../api/installation.ts";
import type { Key } from "../../api/keys.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import { t } from "../../texts/texts.ts";

interface SmtpSettingsProps {
  readonly smtp: Installation["smtp"];
  readonly credential: Key | undefined;
}

/** Settings for a mail program or a framework. */
export function SmtpSettings({ smtp, credential }: SmtpSettingsProps) {
  if (smtp === null || smtp.endpoints.length === 0) return <p className="muted tight">{t.start.noSmtp}</p>;
  return (
    <div className="stack">
      {smtp.endpoints.map(({ host, port, tls }) => (
        <div key={`${host}:${port}`} className="pair">
          <CopyField label={t.start.host} value={host ?? window.location.hostname} />
          <CopyField label={t.start.port(t.start.encryption[tls] ?? tls)} value={String(port)} />
        </div>
      ))}
      <p className="faint tight">
        {credential ? t.start.credential(credential.name, credential.prefix) : t.start.noCredential}{" "}
        <Link to="/keys" className="link">
          {t.start.toKeys}
        </Link>
      </p>
      {smtp.self_signed && <p className="faint tight">{t.start.selfSigned}</p>}
    </div>
  );
}
