#!/usr/bin/env bash
# Installs the SMTP servers and tools that some tests speak to: Postfix, with its smtp-sink, swaks with TLS, and
# msmtp. Needs root.
set -euo pipefail

if [[ "$(id -u)" -ne 0 ]]; then
  echo "the tests need Postfix, swaks and msmtp: apt-get install postfix swaks libnet-ssleay-perl msmtp" >&2
  exit 1
fi

# Only the programs are wanted: 101 tells Debian's packages not to start their services.
policy=/usr/sbin/policy-rc.d
if [[ ! -e "$policy" ]]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
  trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
debconf-set-selections <<<"postfix postfix/main_mailer_type select No configuration"
apt-get update -qq
apt-get install -y -qq --no-install-recommends postfix swaks libnet-ssleay-perl msmtp >/dev/null
