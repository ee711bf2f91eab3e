#!/usr/bin/env bash
# Installs the programs of others that some tests talk to: mail servers and clients, the languages of clients, and Wine
# for a MongoDB where there is no mongod. What is there already is left alone. Needs root.
set -euo pipefail

missing=()
# need PACKAGES COMMAND...: unless the command succeeds.
need() {
  local packages="$1"
  shift
  "$@" >/dev/null 2>&1 || missing+=($packages)
}
new_rust() { cargo --version | grep -qE ' 1\.(8[5-9]|9[0-9]|[1-9][0-9]{2})\.'; }
swaks_with_tls() { swaks --support | grep -q "TLS supported"; }

need chromium test -x /usr/bin/chromium
need curl command -v curl
need jq command -v jq
need msmtp command -v msmtp
need poppler-utils command -v pdftotext
need postfix test -x /usr/sbin/postfix -a -x /usr/sbin/smtp-sink
need "swaks libnet-ssleay-perl" swaks_with_tls
need systemd command -v systemd-analyze
need unbound test -x /usr/sbin/unbound
need ldnsutils command -v ldns-signzone
need prometheus command -v promtool
need python3 command -v python3
need python3-venv python3 -c "import ensurepip"
need golang-go command -v go
need "php-cli php-mbstring" php -r 'exit(extension_loaded("mbstring") ? 0 : 1);'
need "php-curl php-guzzlehttp-guzzle" php -r 'exit(extension_loaded("curl") && is_file("/usr/share/php/GuzzleHttp/autoload.php") ? 0 : 1);'
need "ruby ruby-typhoeus" ruby -e 'require "typhoeus"'
# Debian's plain rustc is too old for what clients need; the one that it builds browsers with is not.
need "cargo-web rustc-web" new_rust
need "gcc libc6-dev libssl-dev pkg-config" sh -c "command -v cc && pkg-config openssl"
need "default-jdk-headless maven" sh -c "command -v javac && command -v mvn"
# Debian has no .NET: this compiles and runs what is written for both.
need "mono-mcs mono-runtime libmono-system-net-http4.0-cil libmono-system-runtime-serialization4.0-cil" \
  sh -c "command -v mcs && command -v mono"
if ! command -v mongod >/dev/null && [[ -z "${MONGODB_URL:-}" ]]; then need wine64 test -x /usr/lib/wine/wine64; fi

# Of Python's own registry: Debian has none of them.
schemathesis=4.32.5
standardwebhooks=1.1.0
checkdmarc=6.0.4
parsedmarc=11.1.0
kubernetes_validate=1.37.0
add_schemathesis() {
  command -v schemathesis >/dev/null && return
  python3 -m venv /opt/schemathesis
  /opt/schemathesis/bin/pip install --quiet --disable-pip-version-check "schemathesis==$schemathesis"
  ln -s /opt/schemathesis/bin/schemathesis /usr/local/bin/schemathesis
}
add_standardwebhooks() {
  [[ -x /opt/standardwebhooks/bin/python ]] && return
  python3 -m venv /opt/standardwebhooks
  /opt/standardwebhooks/bin/pip install --quiet --disable-pip-version-check "standardwebhooks==$standardwebhooks"
}
add_checkdmarc() {
  [[ -x /opt/checkdmarc/bin/python ]] && return
  python3 -m venv /opt/checkdmarc
  /opt/checkdmarc/bin/pip install --quiet --disable-pip-version-check "checkdmarc==$checkdmarc"
}
add_parsedmarc() {
  [[ -x /opt/parsedmarc/bin/python ]] && return
  python3 -m venv /opt/parsedmarc
  /opt/parsedmarc/bin/pip install --quiet --disable-pip-version-check "parsedmarc==$parsedmarc"
}
add_kubernetes_validate() {
  [[ -x /opt/kubernetes-validate/bin/kubernetes-validate ]] && return
  python3 -m venv /opt/kubernetes-validate
  /opt/kubernetes-validate/bin/pip install --quiet --disable-pip-version-check \
    "kubernetes-validate==$kubernetes_validate"
}
openapi_python_client=0.29.1
# Beside the generator: what its clients and those of openapi-generator import.
add_openapi_python_client() {
  [[ -x /opt/openapi-python-client/bin/openapi-python-client ]] && return
  python3 -m venv /opt/openapi-python-client
  /opt/openapi-python-client/bin/pip install --quiet --disable-pip-version-check \
    "openapi-python-client==$openapi_python_client" pydantic==2.14.4 urllib3==2.8.0 python-dateutil==4.0.0
}
# Of npm's registry. The generator loads the compiler that stands beside it.
hey_api=0.94.0
hey_api_typescript=5.9.3
add_hey_api() {
  [[ -x /opt/hey-api/node_modules/.bin/openapi-ts ]] && return
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix /opt/hey-api \
    "@hey-api/openapi-ts@$hey_api" "typescript@$hey_api_typescript"
}
# Debian's Go is too old for libraries that tests use: a newer one is a module of Go's own registry.
go_toolchain=1.26.8
add_go() {
  go version | grep -qE 'go1\.(2[5-9]|[3-9][0-9])' && return
  local folder source
  folder="$(mktemp -d)"
  source="$(cd "$folder" && go mod init example.com/tools 2>/dev/null &&
    go mod download -json "golang.org/toolchain@v0.0.1-go$go_toolchain.linux-$(go env GOARCH)" |
    sed -n 's/.*"Dir": "\(.*\)".*/\1/p')"
  # An older one may be there.
  rm -rf /opt/go-toolchain
  cp -r "$source" /opt/go-toolchain
  chmod -R u+w /opt/go-toolchain
  chmod +x /opt/go-toolchain/bin/* /opt/go-toolchain/pkg/tool/*/*
  ln -sf /opt/go-toolchain/bin/go /usr/local/bin/go
  hash -r
  rm -rf "$folder"
}
# Of Go's registry, too: Debian's is older. Modules of late versions lack its web pages, and do not build without them.
alertmanager=github.com/prometheus/alertmanager/cmd/alertmanager@v0.28.1
add_alertmanager() {
  command -v alertmanager >/dev/null && return
  GOBIN=/usr/local/bin GOTOOLCHAIN=local go install "$alertmanager"
}
oapi_codegen=github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
add_oapi_codegen() {
  command -v oapi-codegen >/dev/null && return
  GOBIN=/usr/local/bin GOTOOLCHAIN=local go install "$oapi_codegen"
}
helm=helm.sh/helm/v3/cmd/helm@v3.19.2
add_helm() {
  command -v helm >/dev/null && return
  GOBIN=/usr/local/bin GOTOOLCHAIN=local go install "$helm"
}
add_all() {
  add_schemathesis
  add_standardwebhooks
  add_checkdmarc
  add_parsedmarc
  add_kubernetes_validate
  add_openapi_python_client
  add_hey_api
  add_go
  add_alertmanager
  add_oapi_codegen
  add_helm
}

if [[ "$(id -u)" -ne 0 ]]; then
  [[ -x /opt/standardwebhooks/bin/python ]] || missing+=("and: standardwebhooks==$standardwebhooks in /opt/standardwebhooks")
  [[ -x /opt/checkdmarc/bin/python ]] || missing+=("and: checkdmarc==$checkdmarc in /opt/checkdmarc")
  [[ -x /opt/parsedmarc/bin/python ]] || missing+=("and: parsedmarc==$parsedmarc in /opt/parsedmarc")
  [[ -x /opt/kubernetes-validate/bin/python ]] ||
    missing+=("and: kubernetes-validate==$kubernetes_validate in /opt/kubernetes-validate")
  command -v helm >/dev/null || missing+=("and: go install $helm")
  command -v schemathesis >/dev/null || missing+=("and: pip install schemathesis==$schemathesis")
  [[ -x /opt/openapi-python-client/bin/python ]] ||
    missing+=("and: openapi-python-client==$openapi_python_client pydantic urllib3 python-dateutil in /opt/openapi-python-client")
  [[ -d /opt/hey-api ]] || missing+=("and: @hey-api/openapi-ts@$hey_api typescript@$hey_api_typescript in /opt/hey-api")
  command -v alertmanager >/dev/null || missing+=("and: go install $alertmanager")
  command -v oapi-codegen >/dev/null || missing+=("and: go install $oapi_codegen")
  [[ ${#missing[@]} -gt 0 ]] || exit 0
  echo "the tests need: apt-get install ${missing[*]}" >&2
  exit 1
fi
if [[ ${#missing[@]} -eq 0 ]]; then
  add_all
  exit 0
fi

# Only the programs are wanted: 101 tells Debian's packages not to start their services.
policy=/usr/sbin/policy-rc.d
if [[ ! -e "$policy" ]]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
  trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends debconf >/dev/null
debconf-set-selections <<<"postfix postfix/main_mailer_type select No configuration"
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
add_all
