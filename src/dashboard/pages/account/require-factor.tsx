import { Button } from "@mantine/core";
import { useInfiniteQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Account, requireSecondFactor } from "../../api/accounts.ts";
import { membersQuery } from "../../api/members.ts";
import { rowsOf } from "../../api/pages.ts";
import { type SignedIn, sessionQuery } from "../../api/session.ts";
import { Answer } from "../../parts/answer.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Row } from "../../parts/row-list.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Requires a second factor of all members, or makes it optional. */
export function RequireFactor({ account }: { readonly account: Account }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const may = useMay();
  const { data: members } = useInfiniteQuery({ ...membersQuery, enabled: may("members.read") });
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: (required: boolean) => requireSecondFactor(account, required),
    onSuccess: (changed) => {
      setAsking(false);
      queryClient.setQueryData(["account"], changed);
    },
    // After a change by another member, the next try is based on the current state.
    onError: () => void queryClient.invalidateQueries({ queryKey: ["account"] }),
  });
  const isRequired = account.requires_second_factor;
  const lacking = isRequired ? undefined : lackingOf(session);
  const count = members && countText(rowsOf(members).length, members.pages.at(-1)?.next_cursor !== undefined);
  return (
    <>
      <ul className="entries">
        <Row
          title={
            isRequired ? (
              <StateBadge tone="ok">{t.security.required}</StateBadge>
            ) : (
              <StateBadge tone="warn">{t.security.optional}</StateBadge>
            )
          }
          detail={isRequired ? t.security.requiredDetail : t.security.optionalDetail}
        >
          {may("account.write") && (
            <Button
              variant={isRequired ? "default" : "filled"}
              disabled={lacking !== undefined}
              onClick={() => {
                change.reset();
                setAsking(true);
              }}
            >
              {isRequired ? t.security.allow : t.security.require}
            </Button>
          )}
        </Row>
      </ul>
      {lacking && may("account.write") && (
        <div className="body">
          <Answer tone="warn">
            <p>{lacking === "none" ? t.security.ownMissing : t.security.ownNotShown}</p>
            {lacking === "none" && (
              <Link to="/user" className="link">
                {t.security.toOwn}
              </Link>
            )}
          </Answer>
        </div>
      )}
      {isAsking && (
        <Confirm
          title={isRequired ? t.security.allow : t.security.require}
          detail={
            isRequired
              ? t.security.allowDetail
              : [
                  t.security.requireDetail,
                  ...(count ? [t.security.members(count)] : []),
                  t.security.informThem,
                ].join(" ")
          }
          action={isRequired ? t.security.allow : t.security.require}
          isPending={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(!isRequired)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** The reason why the server would refuse this user, who must have shown a second factor in the session. */
function lackingOf({ factors, second_factors }: SignedIn): "none" | "not shown" | undefined {
  if (factors.some((factor) => factor === "passkey" || factor === "totp" || factor === "recovery_code"))
    return undefined;
  return second_factors.length === 0 ? "none" : "not shown";
}

function countText(count: number, isMore: boolean): string {
  return isMore ? `${count}+` : String(count);
}
