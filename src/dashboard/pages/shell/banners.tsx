import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useLiveState } from "../../api/live.ts";
import { checkVersion, reloadPage, usePageVersion } from "../../api/page-version.ts";
import type { SignedIn } from "../../api/session.ts";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { t } from "../../texts/texts.ts";

const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(window.location.hostname);
/** Minimum time between two checks for a new version when a tab comes to the front. */
const CHECK_MS = 300_000;

/** Banners above every page: no encryption, a lost connection, a new version. */
export function Banners({ session }: { readonly session: SignedIn }) {
  return (
    <>
      {!session.encrypted && !isLoopback && (
        <div className="banner" role="note">
          {t.shell.notEncrypted}
        </div>
      )}
      <LostConnection />
      <NewVersion />
    </>
  );
}

/** Reports that Hermod cannot be reached, and the time of the next retry. It disappears automatically. */
function LostConnection() {
  const live = useLiveState();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { status } = live;
  const isLost = live.status === "lost" && !live.isReachable;
  const wasLost = useRef(false);
  useEffect(() => {
    if (isLost) wasLost.current = true;
    if (status !== "open") return;
    // A new connection can lead to another version.
    void checkVersion();
    if (!wasLost.current) return;
    wasLost.current = false;
    void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    // Shown when the script of a page could not be loaded.
    void router.invalidate();
  }, [status, isLost, queryClient, router]);

  return (
    <div className={isLost ? "banner row" : undefined}>
      {/* Announced when it appears: its element exists before. The seconds are not announced. */}
      <span role="status">{isLost && t.shell.lost}</span>
      {live.status === "lost" && isLost && (
        <>
          <Countdown until={live.retryAt} />
          <Button size="xs" variant="default" onClick={live.retry}>
            {t.shell.tryNow}
          </Button>
        </>
      )}
    </div>
  );
}

function Countdown({ until }: { readonly until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(ticking);
  }, []);
  const seconds = Math.ceil((until - now) / 1_000);
  return <span>{seconds > 0 ? t.shell.nextTry(seconds) : t.shell.trying}</span>;
}

/** Offers a reload, and never reloads automatically: the user may have unsaved input. */
function NewVersion() {
  const version = usePageVersion();
  useEffect(() => {
    let checkedAt = Date.now();
    function onShow() {
      if (document.hidden || Date.now() - checkedAt < CHECK_MS) return;
      checkedAt = Date.now();
      void checkVersion();
    }
    document.addEventListener("visibilitychange", onShow);
    return () => document.removeEventListener("visibilitychange", onShow);
  }, []);
  if (version === "current") return <div role="status" />;
  return (
    <div className="banner row" role="status">
      <span>{version === "new" ? t.shell.newVersion : t.shell.incomplete}</span>
      <Button size="xs" variant="default" onClick={() => void reloadPage().catch(notifyProblem)}>
        {t.shell.reload}
      </Button>
    </div>
  );
}
