import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { clearSandbox, type SandboxMessage, sandboxQuery } from "../../api/sandbox.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { CapturedMail } from "./captured-mail.tsx";

const route = getRouteApi("/inside/sandbox");

/** Mail that was captured instead of sent: the list, and the message that the address names. */
export function SandboxPage() {
  const { message, view = "preview" } = route.useSearch();
  const query = useInfiniteQuery(sandboxQuery);
  const queryClient = useQueryClient();
  const may = useMay();
  const [isClearing, setClearing] = useState(false);
  const clear = useMutation({
    mutationFn: clearSandbox,
    onSuccess: () => {
      setClearing(false);
      return queryClient.invalidateQueries({ queryKey: ["sandbox"] });
    },
  });

  return (
    <>
      <PageHead title={t.sandbox.title} detail={t.sandbox.detail}>
        {may("sandbox.write") && (
          <Button variant="default" onClick={() => setClearing(true)}>
            {t.sandbox.clear}
          </Button>
        )}
      </PageHead>
      <StateView
        query={query}
        empty={{
          when: ({ pages }) => pages.every(({ data }) => data.length === 0),
          view: (
            <div className="card notice">
              <strong>{t.sandbox.empty}</strong>
              <p className="muted">{t.sandbox.emptyDetail}</p>
            </div>
          ),
        }}
      >
        {({ pages }) => {
          const mails = pages.flatMap(({ data }) => data);
          const shown = message ?? mails[0]?.id;
          return (
            <div className="inbox">
              <div>
                <ul className="card mails">
                  {mails.map((mail) => (
                    <MailLine key={mail.id} mail={mail} isShown={mail.id === shown} />
                  ))}
                </ul>
                <LoadMore query={query} />
              </div>
              {shown && <CapturedMail id={shown} view={view} />}
            </div>
          );
        }}
      </StateView>
      {isClearing && (
        <Confirm
          title={t.sandbox.clear}
          detail={t.sandbox.clearDetail}
          action={t.sandbox.clear}
          isPending={clear.isPending}
          error={clear.error}
          onConfirm={() => clear.mutate()}
          onClose={() => setClearing(false)}
        />
      )}
    </>
  );
}

function MailLine({ mail, isShown }: { readonly mail: SandboxMessage; readonly isShown: boolean }) {
  return (
    <li>
      <Link
        to="/sandbox"
        search={(before) => ({ ...before, message: mail.id })}
        activeProps={{}}
        aria-current={isShown ? "true" : undefined}
      >
        <span className="spread nowrap">
          <b className="cut">{mail.subject || t.messages.noSubject}</b>
          <span className="faint">
            <Time at={mail.captured_at} />
          </span>
        </span>
        <span className="muted cut">{mail.envelope_to.join(", ")}</span>
      </Link>
    </li>
  );
}
