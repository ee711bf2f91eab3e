import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type SignedIn, sessionQuery } from "../../api/session.ts";
import { startQuery } from "../../api/start.ts";
import { announceSession } from "../../api/tabs.ts";

/** Opens the next step of a session, or the page that the user wanted. */
export function useEntered(returnTo: string | undefined) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (session: SignedIn) => {
    const search = returnTo === undefined ? {} : { return_to: returnTo };
    queryClient.setQueryData(sessionQuery.queryKey, session);
    if (session.second_factor_required) return navigate({ to: "/second-factor", search });
    if (session.must_change_password) return navigate({ to: "/first-password", search });
    announceSession(session);
    return navigate({ href: returnTo ?? (await firstPage(queryClient)) });
  };
}

/** The first steps for an account that has sent nothing, or else the overview. */
async function firstPage(queryClient: QueryClient): Promise<"/" | "/start"> {
  try {
    const { first_captured_at, first_delivered_at } = await queryClient.fetchQuery(startQuery);
    return first_captured_at === null && first_delivered_at === null ? "/start" : "/";
  } catch {
    // The role of the user may not allow it. The overview reports other errors.
    return "/";
  }
}
