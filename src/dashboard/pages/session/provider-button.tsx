import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { beginOidc } from "../../api/session.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface ProviderButtonProps {
  readonly options: { readonly oidc_name: string } | undefined;
  /** Path of the dashboard to return to; undefined: the current page. */
  readonly returnTo?: string | undefined;
}

/** Opens the sign-in page of the provider, if there is one. */
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

/** Without the part after `#`: on pages of mail links, it is a secret. */
function pathOf({ pathname, searchStr }: { readonly pathname: string; readonly searchStr: string }): string {
  return `${pathname}${searchStr}`;
}
