#!/bin/sh
# Writes the settings that nginx cannot read from variables, then becomes nginx. Our own, because the image's templates need a writable
# /etc/nginx. Variables:
#   SANDBOX           true routes the simulator's paths too; false (the default) answers them 404
#   EDGE_ADMIN        false answers /admin 404: operators have another way to it; true (the default) routes it
#   UPSTREAM_SUFFIX   put behind each service's name; without it, the domain of the pod in Kubernetes, else nothing:
#                     nginx asks the name server itself and knows no search domains
#   RESOLVERS         name servers; those of /etc/resolv.conf without it (Docker's 127.0.0.11, the cluster's)
#   EDGE_TRUSTED_PROXIES  addresses or networks (CIDRs, separated by commas) of the proxies before this one, whose X-Forwarded-For
#                     is trusted: the client is the last address in it that is none of them. Without it, the connecting address is the client
#   EDGE_REQUESTS_PER_ADDRESS  the most unfinished requests of one address; 100. More get a 429.
#                     Behind a proxy that EDGE_TRUSTED_PROXIES does not name, all clients are one address
#   PUBLIC_BASE_URL   where clients reach the product; when it begins with https://, responses have Strict-Transport-Security (HSTS)
set -eu

case ${SANDBOX:=false} in
  true | false) ;;
  *) echo 'fundrail edge did not start: SANDBOX must be true or false' >&2; exit 1 ;;
esac
case ${EDGE_ADMIN:=true} in
  true | false) ;;
  *) echo 'fundrail edge did not start: EDGE_ADMIN must be true or false' >&2; exit 1 ;;
esac
# IPv6 addresses stand in brackets in nginx.
resolvers=${RESOLVERS:-$(awk '$1 == "nameserver" { print ($2 ~ /:/) ? "[" $2 "]" : $2 }' /etc/resolv.conf | tr '\n' ' ')}
suffix=${UPSTREAM_SUFFIX-$(awk '$1 == "search" && $2 ~ /\.svc\./ { print "." $2; exit }' /etc/resolv.conf)}
proxies=$(echo "${EDGE_TRUSTED_PROXIES:-}" | tr ',' '\n' | sed 's/^[[:space:]]*//; s/[[:space:]]*$//; /^$/d')
if echo "$proxies" | grep -qv '^[0-9A-Fa-f.:/]*$'; then
  echo 'fundrail edge did not start: EDGE_TRUSTED_PROXIES must be addresses or CIDRs, separated by commas' >&2
  exit 1
fi
case $(echo "${PUBLIC_BASE_URL:-}" | tr '[:upper:]' '[:lower:]') in
  https://*) strict='max-age=31536000; includeSubDomains' ;;
  *) strict= ;;
esac

per_address=${EDGE_REQUESTS_PER_ADDRESS:-100}
if ! echo "$per_address" | grep -qx '[1-9][0-9]\{0,4\}'; then
  echo 'fundrail edge did not start: EDGE_REQUESTS_PER_ADDRESS must be a whole number from 1 to 99999' >&2
  exit 1
fi

cat >/tmp/edge.conf <<CONF
resolver $resolvers valid=2s ipv6=off;
resolver_timeout 2s;
map "" \$sandbox { default "$SANDBOX"; }
map "" \$admin { default "$EDGE_ADMIN"; }
map "" \$upstream_suffix { default "$suffix"; }
map "" \$strict_transport_security { default "$strict"; }
$(echo "$proxies" | sed -n 's/..*/set_real_ip_from &;/p')
real_ip_header X-Forwarded-For;
real_ip_recursive on;
limit_conn per_address $per_address;
CONF
exec nginx -c /etc/fundrail-edge/nginx.conf -g 'daemon off;'
