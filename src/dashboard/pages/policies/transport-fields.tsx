import { Select } from "@mantine/core";
import type { NewTransport } from "../../api/policies.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { NumberField } from "../../parts/number-field.tsx";
import { t } from "../../texts/texts.ts";
import { RelayFields } from "./relay-fields.tsx";
import { TlsAndDkim } from "./tls-and-dkim.tsx";
import { kindOf, type TransportKind } from "./transport-text.ts";

const CONNECTIONS = 5;

const newTransports: Readonly<Record<TransportKind, NewTransport>> = {
  smtp: { smtp: { servers: [{ host: "" }], tls: "required" } },
  direct: { direct: { tls: "opportunistic" } },
  sandbox: { sandbox: {} },
};
export const firstTransport = newTransports.smtp;

interface TransportFieldsProps {
  readonly transport: NewTransport;
  /** JSON pointer of the transport. */
  readonly at: string;
  readonly faultAt: FaultAt;
  readonly onChange: (transport: NewTransport) => void;
}

/** Fields of a transport of any kind. */
export function TransportFields({ transport, at, faultAt, onChange }: TransportFieldsProps) {
  const kind = kindOf(transport);
  const { smtp, direct } = transport;
  return (
    <div className="stack">
      <Select
        label={t.policies.kind}
        description={kind && t.policies.kindDetails[kind]}
        data={(Object.keys(newTransports) as TransportKind[]).map((value) => ({
          value,
          label: t.policies.kinds[value] ?? value,
        }))}
        allowDeselect={false}
        error={faultAt(at) ?? faultAt(`${at}/${kind}`)}
        value={kind ?? null}
        onChange={(picked) => {
          if (picked && picked !== kind) onChange(newTransports[picked as TransportKind]);
        }}
      />
      {kind === "smtp" && smtp && (
        <RelayFields
          relay={smtp}
          at={`${at}/smtp`}
          faultAt={faultAt}
          onChange={(relay) => onChange({ smtp: relay })}
        />
      )}
      {kind === "direct" && direct && (
        <>
          <TlsAndDkim
            modes={t.policies.directTls}
            tls={direct.tls ?? "opportunistic"}
            dkim={direct.dkim}
            at={`${at}/direct`}
            faultAt={faultAt}
            onChange={(changes) => onChange({ direct: { ...direct, ...changes } })}
          />
          <NumberField
            label={t.policies.maxConnections}
            description={t.policies.connectionsDetail(CONNECTIONS)}
            value={direct.max_connections}
            error={faultAt(`${at}/direct/max_connections`)}
            onChange={(max_connections) => onChange({ direct: { ...direct, max_connections } })}
          />
        </>
      )}
    </div>
  );
}
