import { Button, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { attachmentAddress, htmlAddress, sandboxMessageQuery, sourceAddress } from "../../api/sandbox.ts";
import { MailHeaders, MailHtml, MailText } from "../../parts/mail-parts.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { MailChecks } from "./mail-checks.tsx";
import { type SandboxView, sandboxViews } from "./views.ts";

const widths = { phone: 375, tablet: 768, desktop: undefined } as const;
type Width = keyof typeof widths;

/** One captured message: preview in several widths, text, header fields, source and attachments. */
export function CapturedMail({ id, view }: { readonly id: string; readonly view: SandboxView }) {
  const query = useQuery(sandboxMessageQuery(id));
  const [width, setWidth] = useState<Width>("desktop");
  return (
    <section className="card" aria-label={t.sandbox.message}>
      <StateView query={query}>
        {({ message, headers, text, html, attachments }) => (
          <>
            <header>
              <div>
                <h2>{message.subject || t.messages.noSubject}</h2>
                <p className="muted">{t.sandbox.fromTo(message.from, message.envelope_to.join(", "))}</p>
              </div>
              <Button component="a" variant="default" size="xs" flex="none" href={sourceAddress(id)} download>
                {t.sandbox.download}
              </Button>
            </header>
            <div className="body stack">
              <nav className="tabs" aria-label={t.sandbox.views}>
                {sandboxViews.map((one) => (
                  <Link
                    key={one}
                    to="/sandbox"
                    search={(before) => ({
                      ...before,
                      message: id,
                      view: one === "preview" ? undefined : one,
                    })}
                    // The address of the preview is a prefix of the others.
                    activeOptions={{ exact: true }}
                    activeProps={{}}
                    aria-current={one === view ? "page" : undefined}
                  >
                    {one === "checks" ? t.sandbox.checks : t.message[one]}
                  </Link>
                ))}
              </nav>
              {view === "preview" && html && (
                <>
                  <SegmentedControl
                    aria-label={t.sandbox.width}
                    data={Object.keys(widths).map((value) => ({
                      value,
                      label: t.sandbox.widths[value as Width],
                    }))}
                    value={width}
                    onChange={(value) => setWidth(value as Width)}
                  />
                  <MailHtml address={htmlAddress(id)} width={widths[width]} />
                </>
              )}
              {view === "checks" && <MailChecks id={id} />}
              {view === "headers" && <MailHeaders fields={headers} />}
              {(view === "text" || (view === "preview" && !html)) && <MailText text={text} />}
              {attachments.length > 0 && (
                <div className="row">
                  {attachments.map(({ filename }, index) => (
                    <a key={index} className="chip" href={attachmentAddress(id, index)} download>
                      {filename ?? t.sandbox.unnamed(index + 1)}
                    </a>
                  ))}
                </div>
              )}
            </div>
          </>
        )}
      </StateView>
    </section>
  );
}
