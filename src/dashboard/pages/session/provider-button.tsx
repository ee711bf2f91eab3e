import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { beginOidc } from "../../api/session.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface ProviderButtonProps {
  readonly options: { readonly oidc_name: string } | undefined;
  /** Path of the dashboard to come back to; undefined: the page that is shown. */
  readonly returnTo?: string | undefined;
}

/** Leads to the provider to sign in by, where there is one. */
export function ProviderButton({ options, returnTo }: ProviderButtonProps) {
  const router = useRouter();
  const leave = useMutation({
    mutationFn: () => beginOidc(returnTo ?? pathOf(router.state.location)),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (!options?.oidc_name) return null;
  return (
    <>
      <FormFault error={leave.error} />
      <Button variant="default" onClick={() => leave.mutate()} loading={leave.isPending}>
        {t.session.withProviderNamed(options.oidc_name)}
      </Button>
    </>
  );
}

/** Without what stands behind `#`: on pages of links in mails that is a secret. */
function pathOf({ pathname, searchStr }: { readonly pathname: string; readonly searchStr: string }): string {
  return `${pathname}${searchStr}`;
}
