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
  /** Removes the used secret from the address and the history. */
  readonly forget: () => void;
}

interface MailLinkPageProps<Found> {
  readonly title: string;
  /** Asks the server for the purpose of the link. */
  readonly find: (token: string) => Promise<Found>;
  /** Shown if the address has no valid secret. */
  readonly without: ReactNode;
  readonly children: (link: MailLinkProps<Found>) => ReactNode;
}

/** A page that a link in a mail opens. Its secret is after `#`, which browsers do not send to servers. */
export function MailLinkPage<Found>({ title, find, without, children }: MailLinkPageProps<Found>) {
  const [token] = useState(() => window.location.hash.slice(1));
  // The token is not a variable of the mutation, so that it stays out of caches.
  const opened = useMutation({ mutationFn: () => find(token) });
  const { mutate } = opened;

  useEffect(() => {
    if (token !== "") mutate();
  }, [token, mutate]);

  useEffect(() => {
    // Another link that is opened on the same page does not load it again.
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

/** Shown instead of the form if a link cannot be used. */
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

/** The last sentence of the page. */
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
