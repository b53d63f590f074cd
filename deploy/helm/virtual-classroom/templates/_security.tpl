{{/* Parts whose user or key all apps of the release share, by name: what to set instead. */}}
{{- define "classroom.shared" -}}
{{- if or (not .Values.nats.existingSecret) .Values.nats.urlKey }}
nats: nats.existingSecret, with a key <app>-url for each app, and an empty nats.urlKey
{{- end }}
{{- if .Values.redis.jobsUrlKey }}
redis: a key <app>-jobs-url for each app, and an empty redis.jobsUrlKey
{{- end }}
{{- if .Values.storage.existingSecret }}
{{- if or .Values.storage.accessKeyIdKey .Values.storage.secretAccessKeyKey }}
storage: keys <app>-access-key-id and <app>-secret-access-key for each app, and empty storage.accessKeyIdKey and storage.secretAccessKeyKey
{{- end }}
{{- else }}
{{- $without := list }}
{{- range $app, $facts := fromYaml (include "classroom.apps" .) }}
{{- if and (has "storage" $facts.reads) (not (hasKey $.Values.serviceAccount.perApp $app)) }}{{- $without = append $without $app }}{{- end }}
{{- end }}
{{- if $without }}
storage: serviceAccount.perApp, with a role of its own for {{ join ", " $without }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Renders nothing. Fails if apps share what `security.sharedCredentials` does not list. */}}
{{- define "classroom.requireOwnCredentials" -}}
{{- range $part, $instead := fromYaml (include "classroom.shared" .) }}
{{- if not (has $part $.Values.security.sharedCredentials) }}
{{- fail (printf "all apps would share one user or key of %s: set %s (docs/guides/kubernetes.md), or accept it with security.sharedCredentials: [%s]" $part $instead $part) }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Renders nothing. Fails if recorders could not start Chromium in its sandbox, and no value says that they need none. */}}
{{- define "classroom.requireSandbox" -}}
{{- if hasKey (fromYaml (include "classroom.apps" .)) "recorder" }}
{{- if not (or .Values.recorder.seccompLocalhostProfile .Values.recorder.config.CHROMIUM_SANDBOX) }}
{{- fail "a recorder's Chromium has no sandbox under the seccomp profile RuntimeDefault: name a profile of your nodes in recorder.seccompLocalhostProfile, such as deploy/seccomp/chromium.json, or accept it with recorder.config.CHROMIUM_SANDBOX: \"off\"" }}
{{- end }}
{{- end }}
{{- end -}}

{{/* What this release does without, one line each, for NOTES.txt. */}}
{{- define "classroom.without" -}}
{{- range $part, $instead := fromYaml (include "classroom.shared" .) }}
- All apps share one user or key of {{ $part }}. Whoever takes over one app acts as any of them. Set {{ $instead }}.
{{- end }}
{{- if .Values.security.unverifiedCallers }}
- Services may answer calls without the gateway's signature (security.unverifiedCallers): the metric classroom_unverified_callers shows which do.
{{- end }}
{{- if not .Values.gateway.adminPort }}
- The operators' API is open to anyone who reaches the Ingress or the Service of the gateway (gateway.adminPort).
{{- end }}
{{- if and (hasKey (fromYaml (include "classroom.apps" .)) "recorder") (ne (.Values.recorder.config.CHROMIUM_SANDBOX | default "on") "on") }}
- Recorders may run Chromium, which decodes what participants send, without its sandbox (recorder.config.CHROMIUM_SANDBOX). Give them nodes of their own.
{{- end }}
{{- if has .Values.postgres.sslMode (list "" "no-verify") }}
- Connections to Postgres are {{ empty .Values.postgres.sslMode | ternary "not encrypted" "encrypted without checking the server" }} (postgres.sslMode).
{{- end }}
{{- if and (hasPrefix "nats:" .Values.nats.url) }}
- Connections to NATS are not encrypted (nats.url and the addresses in the Secret: tls://).
{{- end }}
{{- if not .Values.nats.streamStorageMiB }}
- Streams grow until the disk of NATS is full (nats.streamStorageMiB).
{{- end }}
{{- if hasPrefix "http:" .Values.storage.endpoint }}
- Connections to the storage are not encrypted (storage.endpoint).
{{- end }}
{{- if not .Values.networkPolicy.enabled }}
- Pods accept and open any connection (networkPolicy.enabled).
{{- else }}
{{- range $name, $peer := .Values.networkPolicy.peers }}
{{- if $peer.any }}
- Apps may connect to any address at the port of {{ $name }} (networkPolicy.peers.{{ $name }}.any).
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
