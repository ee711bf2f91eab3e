import { Button } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { rowsOf } from "../../api/pages.ts";
import { clearSandbox, type SandboxFilter, type SandboxMessage, sandboxQuery } from "../../api/sandbox.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useSearchOn } from "../../parts/list-card.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Pending, StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { CapturedMail } from "./captured-mail.tsx";

const route = getRouteApi("/inside/sandbox");

/** Captured mail: the list, and the message in the address. */
export function SandboxPage() {
  const { message, view = "preview", ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(sandboxQuery(filter));
  const isSearching = useSearchOn(query);
  const isFiltered = Object.keys(filter).length > 0;
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

  const change = (changes: SandboxFilter) =>
    void navigate({ search: (before) => ({ ...before, ...changes, message: undefined }), replace: true });

  return (
    <>
      <PageHead title={t.sandbox.title} detail={t.sandbox.detail}>
        {may("sandbox.write") && (
          <Button variant="default" onClick={() => setClearing(true)}>
            {t.sandbox.clear}
          </Button>
        )}
      </PageHead>
      <search className="row">
        <SearchField
          label={t.sandbox.recipient}
          hint={t.sandbox.recipientHint}
          value={filter.recipient}
          onSearch={(recipient) => change({ recipient })}
        />
        <SearchField
          label={t.sandbox.subject}
          hint={t.sandbox.subjectHint}
          value={filter.subject}
          onSearch={(subject) => change({ subject })}
        />
        <PickField
          label={t.sandbox.since}
          options={t.sandbox.spans}
          value={filter.hours}
          onPick={(hours) => change({ hours })}
        />
      </search>
      <StateView
        query={query}
        empty={{
          when: ({ pages }) => pages.every(({ data }) => data.length === 0),
          view: isSearching ? (
            <Pending />
          ) : (
            <div className="card notice">
              <strong>{isFiltered ? t.sandbox.emptyFiltered : t.sandbox.empty}</strong>
              {!isFiltered && <p className="muted">{t.sandbox.emptyDetail}</p>}
            </div>
          ),
        }}
      >
        {(data) => {
          const mails = rowsOf(data);
          const shown = message ?? mails[0]?.id;
          return (
            <div className="inbox" data-open={message !== undefined}>
              <div>
                <ul className="card mails">
                  {mails.map((mail) => (
                    <MailLine key={mail.id} mail={mail} isShown={mail.id === shown} />
                  ))}
                </ul>
                <LoadMore query={query} />
              </div>
              {shown && (
                <div className="stack">
                  <Link
                    to="/sandbox"
                    search={(before) => ({ ...before, message: undefined, view: undefined })}
                    className="link narrow-only"
                    activeProps={{}}
                  >
                    {t.sandbox.all}
                  </Link>
                  <CapturedMail id={shown} view={view} />
                </div>
              )}
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
