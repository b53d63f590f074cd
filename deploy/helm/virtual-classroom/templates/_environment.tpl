{{/* Groups of variables that files/apps.yaml names in `reads`. Each renders a list of container variables. */}}

{{- define "classroom.secretVariable" -}}
- name: {{ .name }}
  valueFrom: {secretKeyRef: {name: {{ .secret | quote }}, key: {{ .key | quote }}{{ if .optional }}, optional: true{{ end }}}}
{{- end -}}

{{- define "classroom.env.nats" -}}
{{- if .root.Values.nats.existingSecret }}
{{ include "classroom.secretVariable" (dict "name" "NATS_URL" "secret" .root.Values.nats.existingSecret "key" (.root.Values.nats.urlKey | default (printf "%s-url" (.user | default .app)))) }}
{{- else }}
- {name: NATS_URL, value: {{ .root.Values.nats.url | quote }}}
{{- end }}
{{- if not .user }}
{{ include "classroom.secretVariable" (dict "name" "CALLER_PUBLIC_KEYS" "secret" .root.Values.secrets.existingSecret "key" "caller-public-keys" "optional" .root.Values.security.unverifiedCallers) }}
{{- end }}
{{- end -}}

{{- define "classroom.env.databaseUrl" -}}
{{ include "classroom.secretVariable" (dict "name" "DATABASE_URL" "secret" .root.Values.postgres.existingSecret "key" (printf "%s-url" .app)) }}
{{- if .root.Values.postgres.sslMode }}
- {name: PGSSLMODE, value: {{ .root.Values.postgres.sslMode | quote }}}
{{- end }}
{{- end -}}

{{- define "classroom.env.postgres" -}}
{{ include "classroom.env.databaseUrl" . }}
- {name: DATABASE_POOL, value: {{ .settings.databasePool | quote }}}
{{- end -}}

{{- define "classroom.env.jobs" -}}
{{ include "classroom.secretVariable" (dict "name" "REDIS_URL" "secret" .root.Values.redis.existingSecret "key" (.root.Values.redis.jobsUrlKey | default (printf "%s-jobs-url" .app))) }}
{{- end -}}

{{- define "classroom.env.cache" -}}
{{ include "classroom.secretVariable" (dict "name" "CACHE_REDIS_URL" "secret" .root.Values.redis.existingSecret "key" .root.Values.redis.cacheUrlKey) }}
{{- end -}}

{{- define "classroom.env.storage" -}}
{{- with .root.Values.storage -}}
- {name: S3_ENDPOINT, value: {{ .endpoint | quote }}}
- {name: S3_PUBLIC_URL, value: {{ .publicUrl | default .endpoint | quote }}}
- {name: S3_REGION, value: {{ .region | quote }}}
- {name: S3_BUCKET, value: {{ .bucket | quote }}}
- {name: S3_FORCE_PATH_STYLE, value: {{ .forcePathStyle | quote }}}
{{ include "classroom.storageKey" (dict "prefix" "S3" "user" $.app "values" .) }}
{{- if and (eq $.app "recording") (eq $.root.Values.recording.engine "egress") (not .accessKeyIdKey) }}
{{ include "classroom.storageKey" (dict "prefix" "EGRESS_S3" "user" "egress" "values" .) }}
{{- end }}
{{- end -}}
{{- end -}}

{{- define "classroom.storageKey" -}}
{{- $user := .user -}}
{{- $prefix := .prefix -}}
{{- with .values -}}
{{- if .existingSecret -}}
{{ include "classroom.secretVariable" (dict "name" (printf "%s_ACCESS_KEY_ID" $prefix) "secret" .existingSecret "key" (.accessKeyIdKey | default (printf "%s-access-key-id" $user))) }}
{{ include "classroom.secretVariable" (dict "name" (printf "%s_SECRET_ACCESS_KEY" $prefix) "secret" .existingSecret "key" (.secretAccessKeyKey | default (printf "%s-secret-access-key" $user))) }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "classroom.env.livekitUrl" -}}
- {name: LIVEKIT_URL, value: {{ .root.Values.livekit.url | quote }}}
{{- end -}}

{{- define "classroom.env.livekitPublic" -}}
- {name: LIVEKIT_PUBLIC_URL, value: {{ .root.Values.livekit.publicUrl | quote }}}
{{- end -}}

{{- define "classroom.env.livekitEgress" -}}
- {name: EGRESS_LIVEKIT_URL, value: {{ .root.Values.livekit.egressUrl | default .root.Values.livekit.url | quote }}}
{{- end -}}

{{- define "classroom.env.livekitKeys" -}}
{{- with .root.Values.livekit -}}
{{ include "classroom.secretVariable" (dict "name" "LIVEKIT_API_KEY" "secret" .existingSecret "key" .apiKeyKey) }}
{{ include "classroom.secretVariable" (dict "name" "LIVEKIT_API_SECRET" "secret" .existingSecret "key" .apiSecretKey) }}
{{- end -}}
{{- end -}}

{{- define "classroom.env.livekitOtherKeys" -}}
{{- with .root.Values.livekit -}}
{{ include "classroom.secretVariable" (dict "name" "LIVEKIT_OTHER_KEYS" "secret" .existingSecret "key" .otherKeysKey "optional" true) }}
{{- end -}}
{{- end -}}

{{- define "classroom.env.gateway" -}}
{{- $root := .root -}}
{{- $own := $root.Values.secrets.existingSecret -}}
- {name: GATEWAY_HOST, value: 0.0.0.0}
- {name: GATEWAY_PORT, value: {{ .facts.http | quote }}}
{{- with $root.Values.gateway.adminPort }}
- {name: GATEWAY_ADMIN_HOST, value: 0.0.0.0}
- {name: GATEWAY_ADMIN_PORT, value: {{ . | quote }}}
{{- end }}
- {name: CLASSROOM_URL, value: {{ $root.Values.urls.classroom | quote }}}
- {name: CONSOLE_ASSETS, value: /app/console}
{{- if $root.Values.media.enabled }}
- {name: MEDIA_URL, value: {{ $root.Values.urls.media | default $root.Values.urls.classroom | quote }}}
{{- if not $root.Values.urls.media }}
- {name: MEDIA_INTERNAL_URL, value: {{ printf "http://%s-media:8090" (include "classroom.fullname" $root) | quote }}}
{{- end }}
{{- end }}
{{- with $root.Values.trustedProxies }}
- {name: TRUSTED_PROXIES, value: {{ join "," . | quote }}}
{{- end }}
{{ include "classroom.secretVariable" (dict "name" "DISPATCH_SECRET" "secret" $own "key" "dispatch-secret") }}
{{ include "classroom.secretVariable" (dict "name" "DASHBOARD_TOKEN_SECRET" "secret" $own "key" "dashboard-token-secret") }}
{{ include "classroom.secretVariable" (dict "name" "CALLER_SIGNING_KEY" "secret" $own "key" "caller-signing-key" "optional" $root.Values.security.unverifiedCallers) }}
{{ include "classroom.secretVariable" (dict "name" "DISPATCH_SECRET_PREVIOUS" "secret" $own "key" "dispatch-secret-previous" "optional" true) }}
{{ include "classroom.secretVariable" (dict "name" "RECEIPT_PUBLIC_KEYS" "secret" $own "key" "receipt-public-keys" "optional" true) }}
{{ include "classroom.secretVariable" (dict "name" "OPERATORS" "secret" $own "key" "operators" "optional" true) }}
{{- end -}}

{{- define "classroom.env.organization" -}}
{{ include "classroom.secretVariable" (dict "name" "WEBHOOK_KEY_SECRET" "secret" .root.Values.secrets.existingSecret "key" "webhook-key-secret") }}
{{ include "classroom.secretVariable" (dict "name" "RECEIPT_SIGNING_KEY" "secret" .root.Values.secrets.existingSecret "key" "receipt-signing-key" "optional" true) }}
{{- end -}}

{{- define "classroom.env.billing" -}}
{{- with .root.Values.billing.existingSecret -}}
{{ include "classroom.secretVariable" (dict "name" "REPORTS_CLICKHOUSE_URL" "secret" . "key" "clickhouse-url") }}
{{- end -}}
{{- end -}}

{{- define "classroom.env.room" -}}
- {name: CLASSROOM_URL, value: {{ .root.Values.urls.classroom | quote }}}
{{ include "classroom.secretVariable" (dict "name" "CLASSROOM_TOKEN_SECRET" "secret" .root.Values.secrets.existingSecret "key" "classroom-token-secret") }}
{{- end -}}

{{- define "classroom.env.recording" -}}
- {name: RECORDING_ENGINE, value: {{ .root.Values.recording.engine | quote }}}
- {name: RECORDING_PAGE_URL, value: {{ .root.Values.urls.recordingPage | default (printf "%s/recording" (trimSuffix "/" .root.Values.urls.classroom)) | quote }}}
{{ include "classroom.secretVariable" (dict "name" "RECORDING_KEY_SECRET" "secret" .root.Values.secrets.existingSecret "key" "recording-key-secret" "optional" true) }}
{{- end -}}

{{- define "classroom.env.ai" -}}
{{ include "classroom.secretVariable" (dict "name" "AI_KEY_SECRET" "secret" .root.Values.secrets.existingSecret "key" "ai-key-secret") }}
{{- with .root.Values.ai.existingSecret }}
{{ include "classroom.secretVariable" (dict "name" "AI_MODELS" "secret" . "key" "models") }}
{{- end }}
{{- end -}}

{{- define "classroom.env.media" -}}
- {name: MEDIA_HOST, value: 0.0.0.0}
- {name: MEDIA_PORT, value: {{ .facts.http | quote }}}
- {name: MEDIA_URL, value: {{ .root.Values.urls.media | default .root.Values.urls.classroom | quote }}}
- {name: CLASSROOM_URL, value: {{ .root.Values.urls.classroom | quote }}}
- {name: MEDIA_WORK_HOME, value: /var/lib/classroom}
{{- with .root.Values.trustedProxies }}
# The gateway and pods of an Ingress have private addresses.
- {name: TRUSTED_PROXIES, value: {{ join "," (concat (list "loopback" "linklocal" "uniquelocal") .) | quote }}}
{{- end }}
{{ include "classroom.secretVariable" (dict "name" "MEDIA_SIGNING_KEYS" "secret" .root.Values.secrets.existingSecret "key" "media-signing-keys") }}
{{- end -}}

{{- define "classroom.env.recorder" -}}
- {name: RECORDER_HOME, value: /var/lib/classroom}
{{- end -}}

{{/* Variables of every process. */}}
{{- define "classroom.env.process" -}}
- {name: SERVICE_NAME, value: {{ .app }}}
- {name: LOG_LEVEL, value: {{ .root.Values.logLevel | quote }}}
- {name: HOME, value: /tmp}
- {name: NODE_COMPILE_CACHE, value: /tmp/node-compile-cache}
{{- if .root.Values.caCertificates.existingConfigMap }}
- {name: NODE_EXTRA_CA_CERTS, value: {{ printf "/etc/classroom/%s" .root.Values.caCertificates.key | quote }}}
{{- end }}
{{- end -}}

{{/* DRAIN_SECONDS is 15 s less than the kubelet allows after preStop, so that an app ends by itself and can log how it ended. */}}
{{- define "classroom.drainSeconds" -}}
{{- $left := sub (sub (int .settings.terminationGracePeriodSeconds) (int .settings.preStopSleepSeconds)) 15 -}}
{{- if lt $left 10 }}{{ fail (printf "%s.%s.terminationGracePeriodSeconds must be preStopSleepSeconds and 25 at least" .app .role) }}{{ end -}}
{{- $left -}}
{{- end -}}

{{- define "classroom.env.telemetry" -}}
{{- with .root.Values.telemetry.otlpEndpoint }}
- {name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }}}
- name: POD_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
- {name: OTEL_RESOURCE_ATTRIBUTES, value: {{ printf "service.instance.id=$(POD_NAME),k8s.pod.name=$(POD_NAME),k8s.namespace.name=%s,classroom.role=%s" $.root.Release.Namespace $.role | quote }}}
{{- end }}
{{- range $name, $value := .root.Values.telemetry.environment }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- end -}}

{{/* All variables of one workload. */}}
{{- define "classroom.environment" -}}
{{ include "classroom.env.process" . }}
- {name: DEPLOYMENT, value: production}
- {name: ROLES, value: {{ .roles | quote }}}
- {name: PROBE_HOST, value: 0.0.0.0}
- {name: PROBE_PORT, value: "9090"}
- {name: DRAIN_SECONDS, value: {{ include "classroom.drainSeconds" . | quote }}}
{{- include "classroom.env.nats" . }}
{{- range $group := .facts.reads }}
{{- with include (printf "classroom.env.%s" $group) $ | trim }}
{{ . }}
{{- end }}
{{- end }}
{{- range $name, $value := (index .root.Values .app).config }}
- {name: {{ $name }}, value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}}
{{- end }}
{{- include "classroom.env.telemetry" . }}
{{- with .settings.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
