import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./api/query-client.ts";
import { pageNonce } from "./parts/page-nonce.ts";
import { pressOnce } from "./press-once.ts";
import { createDashboardRouter } from "./router.tsx";
import { createDashboardTheme, resolveVariables } from "./theme.ts";

/** Shows the page. The texts of its language are loaded. */
export function showApp(): void {
  const nonce = pageNonce();
  // Dialogs lock the scroll bar with their own style element.
  setNonce(nonce);
  pressOnce(document);
  const queryClient = createQueryClient();
  const router = createDashboardRouter(queryClient);
  const root = document.getElementById("app");
  if (!root) throw new Error("The page has no element with the id app.");

  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={createDashboardTheme()}
        cssVariablesResolver={resolveVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <Notifications />
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
