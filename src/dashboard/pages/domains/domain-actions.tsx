import { Button, Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  checkDomain,
  type Domain,
  domainQuery,
  removeDomain,
  rotateDomain,
  zoneFileOf,
} from "../../api/domains.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

/** What can be done with a domain. */
export function DomainActions({ domain: { name } }: { readonly domain: Domain }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const may = useMay();
  const [asked, setAsked] = useState<"rotate" | "remove">();
  const show = (found: Domain) => {
    setAsked(undefined);
    queryClient.setQueryData(domainQuery(name).queryKey, found);
    return queryClient.invalidateQueries({ queryKey: ["domains", "list"] });
  };
  const check = useMutation({ mutationFn: () => checkDomain(name), onSuccess: show, onError: notifyProblem });
  const rotate = useMutation({ mutationFn: () => rotateDomain(name), onSuccess: show });
  const remove = useMutation({
    mutationFn: () => removeDomain(name),
    onSuccess: async () => {
      await navigate({ to: "/domains" });
      queryClient.removeQueries({ queryKey: domainQuery(name).queryKey });
      await queryClient.invalidateQueries({ queryKey: ["domains", "list"] });
    },
  });
  const download = useMutation({
    mutationFn: () => zoneFileOf(name),
    onSuccess: (text) => saveFile(`${name}.zone`, "text/plain", text),
    onError: notifyProblem,
  });
  const change = asked === "rotate" ? rotate : remove;

  return (
    <div className="row">
      <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
        {t.domains.zoneFile}
      </Button>
      {may("domains.write") && (
        <>
          <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <Button variant="default">{t.domains.more}</Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setAsked("rotate")}>{t.domains.rotate}</Menu.Item>
              <Menu.Item onClick={() => setAsked("remove")}>{t.domains.remove}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Button loading={check.isPending} onClick={() => check.mutate()}>
            {t.domains.check}
          </Button>
        </>
      )}
      {asked && (
        <Confirm
          title={asked === "rotate" ? t.domains.rotate : t.domains.removeTitle(name)}
          detail={asked === "rotate" ? t.domains.rotateDetail : t.domains.removeDetail}
          action={asked === "rotate" ? t.domains.rotate : t.domains.remove}
          isPending={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

/** Has the browser save a text as a file. */
function saveFile(name: string, mediaType: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
