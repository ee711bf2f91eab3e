import { Button, Select, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  createDomainLink,
  type Domain,
  domainQuery,
  removeDomainLink,
  sharedRecordsAddress,
} from "../../api/domains.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { Time } from "../../parts/time.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

const DAYS = [1, 7, 30];

/**
 * Creates and revokes a link to the records for a person without a session. The link exists only in the state of the dialog.
 */
export function ShareRecords({ domain, onClose }: { readonly domain: Domain; readonly onClose: () => void }) {
  const { name, link_expires_at } = domain;
  const queryClient = useQueryClient();
  const [days, setDays] = useState("7");
  const [link, setLink] = useState<string>();
  const reload = () => queryClient.invalidateQueries({ queryKey: domainQuery(name).queryKey });
  const create = useMutation({
    mutationFn: async () => {
      // The response has the secret of the link: it must not enter the cache of mutations.
      setLink(sharedRecordsAddress((await createDomainLink(name, Number(days))).token));
    },
    onSuccess: reload,
  });
  const withdraw = useMutation({
    mutationFn: () => removeDomainLink(name),
    onSuccess: () => {
      setLink(undefined);
      return reload();
    },
  });

  return (
    <Dialog onClose={onClose} title={t.domains.share} size="lg">
      <Stack>
        <p className="muted tight">{t.domains.shareDetail}</p>
        {link_expires_at && (
          <div className="spread">
            <span>
              {t.domains.shareOpen} <Time at={link_expires_at} withDay />.
            </span>
            <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
              {t.domains.shareWithdraw}
            </Button>
          </div>
        )}
        {link ? (
          <>
            <CopyField label={t.domains.shareLink} value={link} />
            <p className="faint tight">{t.domains.shareOnce}</p>
          </>
        ) : (
          <div className="row bottom-aligned">
            <Select
              label={t.domains.shareDays}
              data={DAYS.map((value) => ({ value: String(value), label: t.domains.shareDaysOf(value) }))}
              value={days}
              allowDeselect={false}
              onChange={(value) => value && setDays(value)}
              w={140}
            />
            <Button loading={create.isPending} onClick={() => create.mutate()}>
              {t.domains.shareCreate}
            </Button>
          </div>
        )}
        <FormFault error={create.error ?? withdraw.error} />
      </Stack>
    </Dialog>
  );
}
