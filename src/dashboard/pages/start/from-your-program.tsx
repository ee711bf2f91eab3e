import { Stack } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { home } from "../../api/client.ts";
import { installationQuery } from "../../api/installation.ts";
import { keysQuery } from "../../api/keys.ts";
import { rowsOf } from "../../api/pages.ts";
import { CodeBlock } from "../../parts/code-block.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { useSenderAddresses } from "./sender-addresses.ts";
import { SmtpSettings } from "./smtp-settings.tsx";
import { type Language, languages, snippets } from "./snippets.ts";

/** The same message sent by a program: in five languages, and the settings of a mail program. */
export function FromYourProgram() {
  const may = useMay();
  const installation = useQuery(installationQuery);
  const keys = useInfiniteQuery({ ...keysQuery(), enabled: may("keys.read") });
  const { addresses } = useSenderAddresses();
  const [shown, show] = useState<Language | "smtp">("curl");

  const usable = rowsOf(keys.data).filter(({ revoked_at, superseded_at }) => !revoked_at && !superseded_at);
  const from = addresses[0] ?? t.start.noSender;

  return (
    <section className="card" aria-labelledby="program">
      <header>
        <h2 id="program">{t.start.program}</h2>
      </header>
      <div className="body stack">
        <fieldset className="tabs" aria-label={t.start.language}>
          {[...languages, "smtp" as const].map((one) => (
            <button key={one} type="button" aria-pressed={one === shown} onClick={() => show(one)}>
              {t.start.languages[one]}
            </button>
          ))}
        </fieldset>
        <StateView query={installation}>
          {({ base_url, smtp }) =>
            shown === "smtp" ? (
              <SmtpSettings smtp={smtp} credential={usable.find(({ kind }) => kind === "smtp")} />
            ) : (
              <Stack>
                <KeyHint prefix={usable.find(({ kind }) => kind === "account")?.prefix} />
                <CodeBlock
                  label={t.start.code}
                  text={snippets[shown]({
                    baseUrl: base_url?.replace(/\/$/, "") ?? home,
                    from,
                    to: t.start.toExample,
                  })}
                />
              </Stack>
            )
          }
        </StateView>
      </div>
    </section>
  );
}

/**
 * The line that sets the key in the environment. It has only the beginning of the key, because a secret is never shown again.
 */
function KeyHint({ prefix }: { readonly prefix: string | undefined }) {
  return (
    <div>
      <pre className="smtp wrapped">{t.start.exportKey(prefix ?? "hm_live_")}</pre>
      <p className="faint tight">
        {t.start.keyDetail}{" "}
        <Link to="/keys" className="link">
          {t.start.toKeys}
        </Link>
      </p>
    </div>
  );
}
