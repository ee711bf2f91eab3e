import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  beginTotp,
  type Factors,
  linkProvider,
  removeTotp,
  renewRecoveryCodes,
  unlinkIdentity,
} from "../../api/factors.ts";
import { signInOptionsQuery } from "../../api/session.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { Row } from "../../parts/row-list.tsx";
import { SecretOnce } from "../../parts/secret-once.tsx";
import { Time } from "../../parts/time.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { SetUpTotp } from "./set-up-totp.tsx";

type Asked = "totp" | "codes" | { readonly identity: Factors["identities"][number] };

/** Authenticator app, recovery codes and providers of the user. */
export function FactorRows({ factors }: { readonly factors: Factors }) {
  const { data: options } = useQuery(signInOptionsQuery);
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const reload = () => queryClient.invalidateQueries();
  const begin = useMutation({ mutationFn: beginTotp, onError: notifyProblem });
  const leave = useMutation({
    mutationFn: linkProvider,
    onSuccess: ({ url }) => window.location.assign(url),
    onError: notifyProblem,
  });
  const change = useMutation({
    mutationFn: async (what: Asked) => {
      if (what === "totp") await removeTotp();
      else if (what === "codes") setCodes((await renewRecoveryCodes()).recovery_codes);
      else await unlinkIdentity(what.identity.id);
    },
    onSuccess: () => {
      setAsked(undefined);
      return reload();
    },
  });
  const { totp_confirmed_at, recovery_codes_left, passkeys, identities } = factors;
  const hasFactor = totp_confirmed_at !== undefined || passkeys.length > 0;

  return (
    <>
      <ul className="entries">
        <Row
          title={t.user.totp}
          detail={
            totp_confirmed_at ? (
              <>
                {t.user.totpSince} <Time at={totp_confirmed_at} withDay />
              </>
            ) : (
              t.user.totpNone
            )
          }
        >
          {totp_confirmed_at ? (
            <Button variant="default" aria-label={t.user.removeTotp} onClick={() => setAsked("totp")}>
              {t.user.remove}
            </Button>
          ) : (
            <Button
              variant="default"
              aria-label={t.user.setUpTotp}
              loading={begin.isPending}
              onClick={() => begin.mutate()}
            >
              {t.user.setUp}
            </Button>
          )}
        </Row>
        <Row
          title={t.user.recovery}
          detail={hasFactor ? t.user.recoveryLeft(recovery_codes_left) : t.user.recoveryNone}
        >
          {hasFactor && (
            <Button variant="default" onClick={() => setAsked("codes")}>
              {t.user.renewCodes}
            </Button>
          )}
        </Row>
        {identities.map((identity) => (
          <Row
            key={identity.id}
            title={t.user.provider(identity.issuer)}
            detail={
              <>
                {identity.email} {t.user.linked} <Time at={identity.linked_at} withDay />
              </>
            }
          >
            <Button
              variant="default"
              aria-label={t.user.unlinkOf(identity.issuer)}
              onClick={() => setAsked({ identity })}
            >
              {t.user.unlink}
            </Button>
          </Row>
        ))}
        {options?.oidc_name && identities.length === 0 && (
          <Row title={t.session.withProviderNamed(options.oidc_name)}>
            <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
              {t.user.link(options.oidc_name)}
            </Button>
          </Row>
        )}
      </ul>
      {begin.data && (
        <SetUpTotp
          {...begin.data}
          onDone={(given) => {
            begin.reset();
            setCodes(given);
            void reload();
          }}
          onClose={begin.reset}
        />
      )}
      {asked && (
        <Confirm
          {...wordsOf(asked)}
          isPending={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {codes.length > 0 && (
        <SecretOnce
          title={t.user.newCodes}
          secrets={[{ label: t.user.codesLabel, value: codes.join("\n") }]}
          onClose={() => setCodes([])}
        />
      )}
    </>
  );
}

function wordsOf(asked: Asked) {
  if (asked === "totp")
    return { title: t.user.removeTotp, detail: t.user.removeTotpDetail, action: t.user.remove };
  if (asked === "codes")
    return { title: t.user.renewCodes, detail: t.user.renewCodesDetail, action: t.user.renewCodes };
  const title = t.user.unlinkOf(asked.identity.issuer);
  return { title, detail: t.user.unlinkDetail, action: t.user.unlink };
}
