import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Mute } from "../../api/insights.ts";
import { unmuteCheck } from "../../api/watches.ts";
import { actorName } from "../../parts/actor-name.ts";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { checkTitle } from "../intel-scope/check-title.ts";

const columns: readonly Column<Mute>[] = [
  {
    heading: t.mutes.check,
    cell: ({ check_id: id, title }) => <b>{checkTitle(id, title)}</b>,
    className: "main wrap",
  },
  {
    heading: t.mutes.domain,
    cell: ({ domain, domain_id: domainId, check_id: check }) => (
      <Link to="/intel/domains/$domainId" params={{ domainId }} search={{ check }} className="link">
        {domain}
      </Link>
    ),
    className: "wrap",
  },
  {
    heading: t.mutes.reason,
    cell: ({ reason }) => reason ?? <span className="faint">{t.mutes.noReason}</span>,
    className: "lines grow",
  },
  {
    heading: t.mutes.by,
    cell: ({ by, at }) => (
      <>
        {by && actorName(by)} {at && <Time at={at} withDay />}
      </>
    ),
    className: "muted wrap wide-only",
  },
  { heading: t.mutes.until, cell: ({ until }) => <Time at={until} withDay />, className: "right" },
];

/** Mutes in force, each with a button that ends it. */
export function MuteTable({ rows }: { readonly rows: readonly Mute[] }) {
  const may = useMay();
  const queryClient = useQueryClient();
  const unmute = useMutation({
    mutationFn: (mute: Mute) => unmuteCheck(mute.domain_id, mute.check_id),
    onSuccess: async (_, { check_id: id, title, domain }) => {
      notifications.show({ message: t.mutes.unmuted(checkTitle(id, title), domain), role: "status" });
      // The findings, and the state of the domain with them, count the check again.
      await queryClient.invalidateQueries({ queryKey: ["intel"] });
    },
    onError: notifyProblem,
  });
  const action: Column<Mute> = {
    heading: t.common.actions,
    cell: (mute) => (
      <Button
        variant="default"
        size="xs"
        aria-label={t.mutes.unmuteOne(checkTitle(mute.check_id, mute.title), mute.domain)}
        loading={unmute.isPending && unmute.variables === mute}
        onClick={() => unmute.mutate(mute)}
      >
        {t.mutes.unmute}
      </Button>
    ),
    className: "right",
  };
  return (
    <Table
      label={t.mutes.title}
      columns={may("intel.write") ? [...columns, action] : columns}
      rows={rows}
      rowKey={({ domain_id: domain, check_id: check }) => `${domain} ${check}`}
    />
  );
}
