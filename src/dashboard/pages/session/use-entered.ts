import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type SignedIn, sessionQuery } from "../../api/session.ts";
import { announceSession } from "../../api/tabs.ts";

/** Leads a session that has made a step to its next one, or to where the user was going. */
export function useEntered(returnTo: string | undefined) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (session: SignedIn) => {
    const search = returnTo === undefined ? {} : { return_to: returnTo };
    queryClient.setQueryData(sessionQuery.queryKey, session);
    if (session.second_factor_required) return navigate({ to: "/second-factor", search });
    if (session.must_change_password) return navigate({ to: "/first-password", search });
    announceSession(session);
    return navigate({ href: returnTo ?? "/" });
  };
}
