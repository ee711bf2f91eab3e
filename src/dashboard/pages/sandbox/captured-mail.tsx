import { Button, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { attachmentAddress, htmlAddress, sandboxMessageQuery, sourceAddress } from "../../api/sandbox.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { type SandboxView, sandboxViews } from "./views.ts";

const widths = { phone: 375, tablet: 768, desktop: undefined } as const;
type Width = keyof typeof widths;

/** One captured message: preview in widths, text, header fields, source and attachments. */
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
              <Button component="a" variant="default" size="xs" href={sourceAddress(id)} download>
                {t.sandbox.download}
              </Button>
            </header>
            <div className="body stack">
              <nav className="tabs" aria-label={t.sandbox.views}>
                {sandboxViews.map((one) => (
                  <Link
                    key={one}
                    to="/sandbox"
                    search={{ message: id, ...(one !== "preview" && { view: one }) }}
                    activeProps={{}}
                    aria-current={one === view ? "page" : undefined}
                  >
                    {t.message[one]}
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
                  <iframe
                    className="preview"
                    title={t.message.htmlFrame}
                    src={htmlAddress(id)}
                    sandbox=""
                    style={{ maxWidth: widths[width] }}
                  />
                </>
              )}
              {view === "headers" && (
                <dl className="facts">
                  {headers.map(({ name, value }, index) => (
                    <div key={index} className="contents">
                      <dt>{name}</dt>
                      <dd className="mono">{value}</dd>
                    </div>
                  ))}
                </dl>
              )}
              {(view === "text" || (view === "preview" && !html)) && (
                <pre className="smtp wrapped">{text || t.message.noText}</pre>
              )}
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
