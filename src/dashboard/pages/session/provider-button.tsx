import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { beginOidc } from "../../api/session.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { t } from "../../texts/texts.ts";

interface ProviderButtonProps {
  readonly options: { readonly oidc_name: string } | undefined;
}

/** Leads to the provider to sign in by, where there is one. */
export function ProviderButton({ options }: ProviderButtonProps) {
  const leave = useMutation({
    mutationFn: () => beginOidc(),
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
