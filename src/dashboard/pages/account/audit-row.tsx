import { Button } from "@mantine/core";
import type { AuditEntry, AuditFilter } from "../../api/audits.ts";
import { actorKindText } from "../../parts/actor-name.ts";
import { FieldChanges } from "../../parts/field-changes.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { targetKindText } from "./audit-texts.ts";

interface AuditRowProps {
  readonly entry: AuditEntry;
  readonly onNarrow: (changes: AuditFilter) => void;
}

/** An open entry: the changed fields before and after, and the origin of the action. */
export function AuditRow({ entry, onNarrow }: AuditRowProps) {
  const { action, actor, target, changes, outcome } = entry;
  return (
    <div className="stack">
      {changes.length > 0 ? (
        <FieldChanges label={t.audit.changes} changes={changes} secretText={t.audit.secret} />
      ) : (
        outcome === "changed" && <p className="muted tight">{t.audit.noChanges}</p>
      )}
      <Origin entry={entry} />
      <div className="row">
        <Button variant="default" size="xs" onClick={() => onNarrow({ action })}>
          {t.audit.onlyAction}
        </Button>
        {actor.id && (
          <Button variant="default" size="xs" onClick={() => onNarrow({ actor_id: actor.id })}>
            {t.audit.onlyActor}
          </Button>
        )}
        {target.id && (
          <Button variant="default" size="xs" onClick={() => onNarrow({ target_id: target.id })}>
            {t.audit.onlyTarget}
          </Button>
        )}
      </div>
    </div>
  );
}

function Origin({ entry }: { readonly entry: AuditEntry }) {
  const { id, action, actor, target, reason, count, since } = entry;
  const { client_address, client_agent, session_id, trace_id } = entry;
  const facts = [
    [t.audit.action, <span className="mono">{action}</span>],
    [t.audit.actor, <Named key="actor" {...actor} kind={actorKindText(actor.kind)} />],
    [t.audit.target, target.id && <Named key="target" {...target} kind={targetKindText(target.kind)} />],
    [t.audit.reason, reason && <span className="mono">{reason}</span>],
    [
      t.audit.count,
      since && (
        <>
          {t.audit.counted(count)} {t.audit.since} <Time at={since} withDay />
        </>
      ),
    ],
    [t.audit.from, client_address],
    [t.audit.client, client_agent],
    [t.audit.session, session_id && <span className="mono">{session_id}</span>],
    [t.audit.trace, trace_id && <span className="mono">{trace_id}</span>],
    [t.audit.entry, <span className="mono">{id}</span>],
  ] as const;
  return (
    <dl className="facts">
      {facts.map(([name, value]) =>
        value ? (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

interface NamedProps {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
}

/** Kind, name and id of an actor or a target. */
function Named({ kind, name, id }: NamedProps) {
  return (
    <>
      {[kind, name].filter(Boolean).join(" · ")}
      {id !== name && <div className="mono">{id}</div>}
    </>
  );
}
