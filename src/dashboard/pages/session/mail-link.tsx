import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { Answer } from "../../parts/answer.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { EntryPage } from "./entry-page.tsx";

export interface MailLinkProps<Found> {
  /** Secret of the link. */
  readonly token: string;
  readonly found: Found;
  /** Takes the secret, which is used up, out of the address and the history. */
  readonly forget: () => void;
}

interface MailLinkPageProps<Found> {
  readonly title: string;
  /** Asks the server what the link is for. */
  readonly find: (token: string) => Promise<Found>;
  /** Shown where the address has no secret, or one that is not valid. */
  readonly without: ReactNode;
  readonly children: (link: MailLinkProps<Found>) => ReactNode;
}

/** A page that a link of a mail leads to. Its secret stands behind `#`, which browsers send to no server. */
export function MailLinkPage<Found>({ title, find, without, children }: MailLinkPageProps<Found>) {
  const [token] = useState(() => window.location.hash.slice(1));
  // The token is no variable of the mutation: it stays out of caches.
  const opened = useMutation({ mutationFn: () => find(token) });
  const { mutate } = opened;

  useEffect(() => {
    if (token !== "") mutate();
  }, [token, mutate]);

  useEffect(() => {
    // Another link, opened where the page is already, loads nothing by itself.
    const reload = () => window.location.hash !== "" && window.location.reload();
    window.addEventListener("hashchange", reload);
    return () => window.removeEventListener("hashchange", reload);
  }, []);

  const forget = () => window.history.replaceState(window.history.state, "", window.location.pathname);
  const isOver = token === "" || opened.isError;
  return (
    <EntryPage title={title}>
      {opened.isError && <FormFault error={opened.error} />}
      {isOver && without}
      {!isOver && opened.data === undefined && (
        <p className="muted tight" role="status">
          {t.mailLinks.checking}
        </p>
      )}
      {opened.data !== undefined && children({ token, found: opened.data, forget })}
    </EntryPage>
  );
}

/** Shown instead of the form of a link that cannot be used. */
export function AskAgain({ children }: { readonly children: string }) {
  return (
    <>
      <p className="muted tight">{children}</p>
      <Link className="link" to="/sign-in">
        {t.mailLinks.toSignIn}
      </Link>
    </>
  );
}

/** The last sentence of such a page. */
export function Done({ children, action }: { readonly children: string; readonly action: ReactNode }) {
  return (
    <>
      <Answer tone="ok" role="alert">
        <p>{children}</p>
      </Answer>
      {action}
    </>
  );
}
