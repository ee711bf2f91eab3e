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
/** Between two looks for a new version by a tab that comes to the front. */
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

/** Says that Hermod cannot be reached, and when the page asks again. It goes by itself. */
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
    // Another version may have come with the new connection.
    void checkVersion();
    if (!wasLost.current) return;
    wasLost.current = false;
    void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    // A page whose script could not be loaded.
    void router.invalidate();
  }, [status, isLost, queryClient, router]);

  return (
    <div className={isLost ? "banner row" : undefined}>
      {/* Read aloud as it comes: its place is there before. The seconds are not read. */}
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

/** Offers a reload, and never does it by itself: the user may have typed something. */
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
