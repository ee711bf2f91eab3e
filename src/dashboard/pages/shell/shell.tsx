import { Burger, Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Outlet, useRouter } from "@tanstack/react-router";
import { lazy, type MouseEvent, Suspense, useEffect } from "react";
import { useLiveResources } from "../../api/live-resources.ts";
import { sessionQuery } from "../../api/session.ts";
import { onOtherSession } from "../../api/tabs.ts";
import { PartBoundary } from "../../parts/part-boundary.tsx";
import { shownKeys } from "../../parts/shortcuts.ts";
import { zone } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { Dialogs } from "../session/dialogs.tsx";
import { Banners } from "./banners.tsx";
import { Navigation } from "./navigation.tsx";
import { IsInFrame } from "./page-faults.tsx";
import { useShellKeys } from "./use-shell-keys.ts";
import { UserMenu } from "./user-menu.tsx";

const CommandPalette = lazy(async () => ({
  default: (await import("./command-palette.tsx")).CommandPalette,
}));
const KeyHelp = lazy(async () => ({ default: (await import("./key-help.tsx")).KeyHelp }));

/** Opens the palette when it is loaded. A banner reports a failure. */
async function search() {
  const { openPalette } = await import("./command-palette.tsx");
  openPalette();
}

/** Frame of all pages that need a session. */
export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [isOpen, { open, close }] = useDisclosure();
  const [isHelpOpen, help] = useDisclosure();
  useShellKeys({ openPalette: () => void search().catch(() => undefined), openHelp: help.open });
  useLiveResources();
  useFocusOfPage();
  useEffect(() => onOtherSession(session, () => window.location.reload()), [session]);
  return (
    <div className="app">
      {/* biome-ignore lint/a11y/useValidAnchor: it moves within the page, as a browser does without a base address */}
      <a href="#content" className="skip" onClick={skipToContent}>
        {t.common.skipToContent}
      </a>
      <Navigation session={session} />
      <Drawer
        opened={isOpen}
        onClose={close}
        size={280}
        title="Hermod"
        closeButtonProps={{ "aria-label": t.common.close }}
      >
        <Navigation session={session} onNavigate={close} />
      </Drawer>
      <div>
        <Banners session={session} />
        <header className="top">
          <span className="narrow-only">
            <Burger opened={isOpen} onClick={open} size="sm" aria-label={t.shell.openMenu} />
          </span>
          <button type="button" className="search" onClick={() => void search().catch(() => undefined)}>
            <span>{t.shell.searchHint}</span>
            <kbd>{shownKeys("palette")[0]?.join(" ")}</kbd>
          </button>
          <div className="rest">
            <span className="faint wide-only">{t.shell.timesIn(zone)}</span>
            <UserMenu session={session} onKeyHelp={help.open} />
          </div>
        </header>
        <main className="page" id="content" tabIndex={-1}>
          <IsInFrame value={true}>
            <Outlet />
          </IsInFrame>
        </main>
      </div>
      <PartBoundary>
        <Suspense>
          <CommandPalette session={session} onKeyHelp={help.open} />
          {isHelpOpen && <KeyHelp onClose={help.close} />}
        </Suspense>
      </PartBoundary>
      <Dialogs session={session} />
    </div>
  );
}

/** The browser would resolve the address of the link by the base address of the dashboard, and open another page. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

/** Moves the focus to an opened page, so that keyboard and screen reader start there and not in the navigation. */
function useFocusOfPage(): void {
  const router = useRouter();
  useEffect(() => {
    let left: Element | null = null;
    const stopBefore = router.subscribe("onBeforeNavigate", () => {
      left = document.activeElement;
    });
    const stopAfter = router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
      const content = document.getElementById("content");
      const now = document.activeElement;
      // A dialog that has opened since keeps the focus; the palette that opened the page does not.
      const isInDialog = now !== left && now?.closest("[role=dialog]");
      if (!fromLocation || !pathChanged || content?.contains(now) || isInDialog) return;
      content?.focus({ preventScroll: true });
    });
    return () => {
      stopBefore();
      stopAfter();
    };
  }, [router]);
}
