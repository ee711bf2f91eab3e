import { Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { type Domain, domainQuery, removeDomain } from "../../api/domains.ts";
import { RemoveUsed } from "../../parts/remove-used.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

const ShareRecords = lazy(async () => ({ default: (await import("./share-records.tsx")).ShareRecords }));
const TestSend = lazy(async () => ({ default: (await import("./test-send.tsx")).TestSend }));
const ZoneFile = lazy(async () => ({ default: (await import("./zone-file.tsx")).ZoneFile }));

/** Actions on a domain. */
export function DomainActions({ domain }: { readonly domain: Domain }) {
  const { name } = domain;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const may = useMay();
  const [open, setOpen] = useState<"zone" | "share" | "send" | "remove">();
  const close = () => setOpen(undefined);

  async function leave() {
    await navigate({ to: "/domains" });
    queryClient.removeQueries({ queryKey: domainQuery(name).queryKey });
    await queryClient.invalidateQueries({ queryKey: ["domains", "list"] });
  }

  return (
    <div className="row">
      <Button variant="default" onClick={() => setOpen("zone")}>
        {t.domains.zoneFile}
      </Button>
      {may("domains.write") && (
        <Button variant="default" onClick={() => setOpen("share")}>
          {t.domains.share}
        </Button>
      )}
      {may("email.send") && domain.may_send && (
        <Button onClick={() => setOpen("send")}>{t.domains.testSend}</Button>
      )}
      {may("domains.write") && (
        <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button variant="default">{t.domains.more}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setOpen("remove")}>{t.domains.remove}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <Suspense>
        {open === "zone" && <ZoneFile name={name} onClose={close} />}
        {open === "share" && <ShareRecords domain={domain} onClose={close} />}
        {open === "send" && <TestSend name={name} onClose={close} />}
      </Suspense>
      {open === "remove" && (
        <RemoveUsed
          title={t.domains.removeTitle(name)}
          detail={t.domains.removeDetail}
          remove={(isForced) => removeDomain(name, isForced)}
          onRemoved={leave}
          onClose={close}
        />
      )}
    </div>
  );
}
