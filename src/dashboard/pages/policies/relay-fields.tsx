import { Button, PasswordInput, TextInput } from "@mantine/core";
import type { NewTransport } from "../../api/policies.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { withItem, withMoved, withoutItem } from "../../parts/edit-list.ts";
import { ListButtons } from "../../parts/list-buttons.tsx";
import { NumberField } from "../../parts/number-field.tsx";
import { t } from "../../texts/texts.ts";
import { TlsAndDkim } from "./tls-and-dkim.tsx";

type Relay = NonNullable<NewTransport["smtp"]>;

const CONNECTIONS = 10;

interface RelayFieldsProps {
  readonly relay: Relay;
  /** JSON pointer of the relay. */
  readonly at: string;
  readonly faultAt: FaultAt;
  readonly onChange: (relay: Relay) => void;
}

/** Servers and sign-in of a relay. The stored password is never shown: an empty field keeps it. */
export function RelayFields({ relay, at, faultAt, onChange }: RelayFieldsProps) {
  const { servers, tls = "required", username = "", password = "", max_connections, dkim } = relay;
  const change = (changes: Partial<Relay>) => onChange({ ...relay, ...changes });
  return (
    <>
      {servers.map((server, index) => (
        <fieldset key={index} className="part" aria-label={t.policies.server(index + 1)}>
          <div className="spread">
            <b>{t.policies.server(index + 1)}</b>
            <ListButtons
              name={t.policies.server(index + 1)}
              at={index}
              count={servers.length}
              onMove={(by) => change({ servers: withMoved(servers, index, by) })}
              onRemove={() => change({ servers: withoutItem(servers, index) })}
            />
          </div>
          <div className="pair">
            <TextInput
              label={t.policies.host}
              placeholder="relay.example.com"
              autoComplete="off"
              error={faultAt(`${at}/servers/${index}/host`) ?? faultAt(`${at}/servers/${index}`)}
              value={server.host}
              onChange={({ currentTarget: { value: host } }) =>
                change({ servers: withItem(servers, index, { ...server, host: host.trim() }) })
              }
            />
            <NumberField
              label={t.policies.port}
              placeholder={tls === "implicit" ? "465" : "587"}
              error={faultAt(`${at}/servers/${index}/port`)}
              value={server.port}
              onChange={(port) => change({ servers: withItem(servers, index, { ...server, port }) })}
            />
          </div>
        </fieldset>
      ))}
      {faultAt(`${at}/servers`) && <p className="fault">{faultAt(`${at}/servers`)}</p>}
      <div>
        <Button variant="default" size="xs" onClick={() => change({ servers: [...servers, { host: "" }] })}>
          {t.policies.addServer}
        </Button>
      </div>
      <TlsAndDkim
        modes={t.policies.relayTls}
        tls={tls}
        dkim={dkim}
        at={at}
        faultAt={faultAt}
        onChange={(changes) => change(changes)}
      />
      <div className="pair">
        <TextInput
          label={t.policies.username}
          description={t.policies.usernameDetail}
          autoComplete="off"
          error={faultAt(`${at}/username`)}
          value={username}
          onChange={({ currentTarget: { value } }) =>
            change(value === "" ? { username: undefined, password: undefined } : { username: value })
          }
        />
        {username !== "" && (
          <PasswordInput
            label={t.policies.password}
            description={t.policies.passwordDetail}
            // The browser must not offer the password of the dashboard.
            autoComplete="new-password"
            error={faultAt(`${at}/password`)}
            value={password}
            onChange={({ currentTarget: { value } }) => change({ password: value || undefined })}
          />
        )}
        <NumberField
          label={t.policies.maxConnections}
          description={t.policies.connectionsDetail(CONNECTIONS)}
          value={max_connections}
          error={faultAt(`${at}/max_connections`)}
          onChange={(count) => change({ max_connections: count })}
        />
      </div>
    </>
  );
}
