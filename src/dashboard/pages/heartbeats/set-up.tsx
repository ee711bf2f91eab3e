import { type Heartbeat, keyedPingUrlOf } from "../../api/heartbeats.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import { t } from "../../texts/texts.ts";
import { commandsOf } from "./commands.ts";

/** Commands for the job. They name the URL by a variable: Hermod stores only a hash of its token. */
export function SetUp({ heartbeat }: { readonly heartbeat: Heartbeat }) {
  return (
    <section className="card" aria-labelledby="commands">
      <header>
        <h2 id="commands">{t.heartbeats.commands}</h2>
        <span className="faint">{t.heartbeats.commandsDetail}</span>
      </header>
      <div className="body stack">
        <p className="muted tight">{t.heartbeats.setupDetail}</p>
        {commandsOf(heartbeat, "$HEARTBEAT_URL", keyedPingUrlOf(heartbeat.id)).map(({ kind, text }) => (
          <CopyField key={kind} label={t.heartbeats[kind]} value={text} />
        ))}
        <p className="muted tight">{t.heartbeats.keyDetail}</p>
      </div>
    </section>
  );
}
