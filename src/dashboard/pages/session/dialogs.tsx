import { Modal } from "@mantine/core";
import { type Query, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { hasEnded } from "../../api/client.ts";
import { restartLive } from "../../api/live.ts";
import { setDialogs } from "../../api/reentry.ts";
import { reauthenticate, resume, type SignedIn, sessionQuery } from "../../api/session.ts";
import { PartBoundary } from "../../parts/part-boundary.tsx";
import { t } from "../../texts/texts.ts";
import { ProofForm } from "./proof-form.tsx";
import { againWays } from "./ways.ts";

const SignInAgain = lazy(async () => ({ default: (await import("./sign-in-again.tsx")).SignInAgain }));

const ABOVE_DIALOGS = 300;

type Asked = "factor" | "sign-in";

/** Asks for a factor or for sign-in in place, so that a refused request continues and input is kept. */
export function Dialogs({ session }: { readonly session: SignedIn }) {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const answer = useRef<(given: boolean) => void>(undefined);
  const isOpen = useRef(false);
  isOpen.current = asked !== undefined;

  useEffect(() => {
    // Added with the frame of the page, before the handlers of its dialogs: Escape closes this dialog and not the one below.
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !isOpen.current) return;
      event.stopImmediatePropagation();
      setAsked(undefined);
      answer.current?.(false);
    };
    window.addEventListener("keydown", onEscape, true);
    return () => window.removeEventListener("keydown", onEscape, true);
  }, []);

  useEffect(() => {
    const ask = (what: Asked) => () =>
      new Promise<boolean>((resolve) => {
        answer.current = resolve;
        setAsked(what);
      });
    const unset = setDialogs({ askForFactor: ask("factor"), askForSignIn: ask("sign-in") });
    return () => {
      unset();
      answer.current?.(false);
    };
  }, []);

  function end(given: boolean) {
    setAsked(undefined);
    answer.current?.(given);
  }

  /** @param shown the session after a factor was shown, or the new session in its place */
  async function goOn(shown: SignedIn) {
    const resumed = await resume(session, shown);
    // The page shows data of another session.
    if (!resumed) return window.location.reload();
    queryClient.setQueryData(sessionQuery.queryKey, resumed);
    // The stream of the former session has ended with it.
    if (asked === "sign-in") restartLive();
    end(true);
    // Reloads parts of the page that were refused while the user was signed out. Requests that wait for the response continue
    // automatically.
    const predicate = ({ state }: Query) => hasEnded(state.error) && state.fetchStatus === "idle";
    void queryClient.refetchQueries({ type: "active", predicate });
  }

  return (
    <Modal
      opened={asked !== undefined}
      onClose={() => end(false)}
      closeOnEscape={false}
      // Shown above the dialog of the page with the refused form.
      zIndex={ABOVE_DIALOGS}
      title={asked === "factor" ? t.session.again : t.session.ended}
    >
      <p className="muted tight after">
        {asked === "factor" ? t.session.againDetail : t.session.endedDetail}
      </p>
      {asked === "factor" && (
        <ProofForm
          email={session.email}
          ways={againWays(session)}
          send={reauthenticate}
          onShown={goOn}
          // The session ended while the dialog was open: signing in also shows a factor.
          onError={(error) => hasEnded(error) && setAsked("sign-in")}
        />
      )}
      {asked === "sign-in" && (
        <PartBoundary fallback={<p role="alert">{t.shell.missingPart}</p>}>
          <Suspense>
            <SignInAgain email={session.email} onSignedIn={goOn} />
          </Suspense>
        </PartBoundary>
      )}
    </Modal>
  );
}
