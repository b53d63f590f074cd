{{- define "classroom.scaledObject" -}}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
{{ include "classroom.metadata" . }}
spec:
  scaleTargetRef: {name: {{ .name }}}
  pollingInterval: {{ int .root.Values.keda.pollingInterval }}
  cooldownPeriod: {{ int .root.Values.keda.cooldownPeriod }}
  minReplicaCount: {{ int .settings.autoscaling.minReplicas }}
  maxReplicaCount: {{ int .settings.autoscaling.maxReplicas }}
  {{- with .settings.autoscaling.behavior }}
  advanced: {horizontalPodAutoscalerConfig: {behavior: {{ toJson . }}}}
  {{- end }}
  triggers: {{ include "classroom.triggers" . | nindent 4 }}
{{- end -}}

{{- define "classroom.triggers" -}}
{{- $keda := .root.Values.keda -}}
{{- range .facts.consumers }}
- type: nats-jetstream
  metadata:
    natsServerMonitoringEndpoint: {{ $keda.natsMonitoringEndpoint | quote }}
    account: {{ $keda.natsAccount | quote }}
    stream: {{ .stream }}
    consumer: {{ .consumer }}
    lagThreshold: {{ int $keda.lagThreshold | quote }}
{{- end }}
{{- with .facts.queue }}
- type: prometheus
  metadata:
    serverAddress: {{ $keda.prometheusAddress | quote }}
    query: {{ printf "max(%s{namespace=%q,queue=%q})" $keda.queueMetric $.root.Release.Namespace . | quote }}
    threshold: {{ int $keda.queueThreshold | quote }}
{{- end }}
{{- if eq .app "room" }}
- type: prometheus
  metadata:
    serverAddress: {{ $keda.prometheusAddress | quote }}
    query: {{ printf "max(classroom_reconcile_overdue_rooms{namespace=%q})" .root.Release.Namespace | quote }}
    threshold: {{ int $keda.overdueRooms | quote }}
{{- end }}
{{- if eq .app "recorder" }}
{{- $slots := (index .root.Values .app).config.RECORDER_SLOTS | default 1 }}
{{- $where := printf "{namespace=%q}" .root.Release.Namespace }}
- type: prometheus
  metadata:
    serverAddress: {{ $keda.prometheusAddress | quote }}
    query: {{ printf "sum(classroom_recorder_slots%s) - sum(classroom_recorder_free_slots%s) + %d" $where $where (int $keda.spareRecorderSlots) | quote }}
    threshold: {{ int $slots | quote }}
{{- end }}
{{- end -}}
