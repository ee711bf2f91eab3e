import { Burger, Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { sessionQuery } from "../../api/session.ts";
import { onOtherSession } from "../../api/tabs.ts";
import { shownKeys } from "../../parts/shortcuts.ts";
import { zone } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { Dialogs } from "../session/dialogs.tsx";
import { Navigation } from "./navigation.tsx";
import { useShellKeys } from "./use-shell-keys.ts";
import { UserMenu } from "./user-menu.tsx";

const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(window.location.hostname);
const CommandPalette = lazy(async () => ({
  default: (await import("./command-palette.tsx")).CommandPalette,
}));
const KeyHelp = lazy(async () => ({ default: (await import("./key-help.tsx")).KeyHelp }));

/** Opens the palette once it is loaded. */
async function search() {
  const { openPalette } = await import("./command-palette.tsx");
  openPalette();
}

/** Frame of all pages that need a session. */
export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [isOpen, { open, close }] = useDisclosure();
  const [isHelpOpen, help] = useDisclosure();
  useShellKeys({ openPalette: () => void search(), openHelp: help.open });
  useEffect(() => onOtherSession(session, () => window.location.reload()), [session]);
  return (
    <div className="app">
      <a href="#content" className="skip">
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
        {!session.encrypted && !isLoopback && (
          <div className="banner" role="note">
            {t.shell.notEncrypted}
          </div>
        )}
        <header className="top">
          <span className="narrow-only">
            <Burger opened={isOpen} onClick={open} size="sm" aria-label={t.shell.openMenu} />
          </span>
          <button type="button" className="search" onClick={() => void search()}>
            <span>{t.shell.searchHint}</span>
            <kbd>{shownKeys("palette")[0]?.join(" ")}</kbd>
          </button>
          <div className="rest">
            <span className="faint wide-only">{t.shell.timesIn(zone)}</span>
            <UserMenu session={session} onKeyHelp={help.open} />
          </div>
        </header>
        <main className="page" id="content" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Suspense>
        <CommandPalette session={session} onKeyHelp={help.open} />
        {isHelpOpen && <KeyHelp onClose={help.close} />}
      </Suspense>
      <Dialogs session={session} />
    </div>
  );
}
