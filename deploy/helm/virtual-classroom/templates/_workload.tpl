{{/* Each template takes one workload: root, app, facts (its row of files/apps.yaml), role, roles, settings, home, name. */}}

{{- define "classroom.selector" -}}
{{ include "classroom.releaseLabels" .root }}
app.kubernetes.io/component: {{ .app }}
virtual-classroom/role: {{ .role }}
{{- end -}}

{{- define "classroom.metadata" -}}
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "classroom.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .app }}
    virtual-classroom/role: {{ .role }}
{{- end -}}

{{/* What scales the workload: `keda`, `hpa`, or empty for a fixed number of replicas. */}}
{{- define "classroom.scaler" -}}
{{- $hasTrigger := and (eq .role "worker") (or .facts.consumers .facts.queue (eq .app "recorder")) -}}
{{- if and .root.Values.keda.enabled $hasTrigger -}}keda
{{- else if .settings.autoscaling.enabled -}}hpa
{{- end -}}
{{- end -}}

{{/*
Replicas of a workload. If a scaler sets them, only while Helm still owns the field, from before the scaler was turned on: removing it then would
leave one pod until the scaler acts. The live number is kept, so the scaler takes over from it.
*/}}
{{- define "classroom.replicas" -}}
{{- if not (include "classroom.scaler" .) -}}{{ int .settings.replicaCount }}
{{- else -}}
{{- $live := lookup "apps/v1" "Deployment" .root.Release.Namespace .name -}}
{{- range ($live.metadata).managedFields -}}
{{- if and (eq .manager "helm") (hasKey (get .fieldsV1 "f:spec" | default dict) "f:replicas") -}}{{ int $live.spec.replicas }}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "classroom.deployment" -}}
apiVersion: apps/v1
kind: Deployment
{{ include "classroom.metadata" . }}
spec:
  {{- with include "classroom.replicas" . }}
  replicas: {{ . }}
  {{- end }}
  revisionHistoryLimit: 5
  selector:
    matchLabels: {{ include "classroom.selector" . | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate: {{ toJson .settings.rollout }}
  template:
    metadata:
      labels:
        {{- include "classroom.selector" . | nindent 8 }}
        {{- with .settings.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        # A node autoscaler may remove the node although this pod has a local volume.
        cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes: tmp
        {{- with .settings.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ hasKey .root.Values.serviceAccount.perApp .app | ternary (printf "%s-%s" (include "classroom.fullname" .root) .app) (include "classroom.serviceAccountName" .root) }}
      {{- include "classroom.podSecurity" .root | nindent 6 }}
      terminationGracePeriodSeconds: {{ int .settings.terminationGracePeriodSeconds }}
      topologySpreadConstraints: {{ include "classroom.spread" . | nindent 8 }}
      {{- with .settings.nodeSelector }}
      nodeSelector: {{ toYaml . | nindent 8 }}
      {{- end }}
      {{- with .settings.tolerations }}
      tolerations: {{ toYaml . | nindent 8 }}
      {{- end }}
      {{- with .settings.affinity }}
      affinity: {{ toYaml . | nindent 8 }}
      {{- end }}
      {{- with .settings.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      containers:
        - name: {{ .app }}
          image: {{ include "classroom.image" . | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          {{- include "classroom.containerSecurity" . | nindent 10 }}
          ports:
            - {name: probes, containerPort: 9090}
            {{- if and .facts.http (eq .role "service") }}
            - {name: http, containerPort: {{ .facts.http }}}
            {{- end }}
            {{- if and (eq .app "gateway") .root.Values.gateway.adminPort }}
            - {name: admin, containerPort: {{ .root.Values.gateway.adminPort }}}
            {{- end }}
          env: {{ include "classroom.environment" . | nindent 12 }}
          resources: {{ toYaml .settings.resources | nindent 12 }}
          {{- include "classroom.probes" . | nindent 10 }}
          {{- with include "classroom.lifecycle" . | trim }}
          {{- . | nindent 10 }}
          {{- end }}
          volumeMounts: {{ include "classroom.mounts" . | nindent 12 }}
      volumes: {{ include "classroom.volumes" . | nindent 8 }}
{{- end -}}

{{- define "classroom.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
{{ include "classroom.metadata" . }}
spec:
  maxUnavailable: {{ .settings.podDisruptionBudget.maxUnavailable }}
  # A pod that is not healthy must not block the drain of its node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{ include "classroom.selector" . | nindent 6 }}
{{- end -}}

{{- define "classroom.horizontalAutoscaler" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
{{ include "classroom.metadata" . }}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: {{ .name }}}
  {{- with .settings.autoscaling }}
  {{- if not (or .targetCPUUtilizationPercentage .targetMemoryUtilizationPercentage) }}
  {{- fail (printf "%s.%s.autoscaling needs a target: targetCPUUtilizationPercentage or targetMemoryUtilizationPercentage" $.app $.role) }}
  {{- end }}
  {{- if lt (int .minReplicas) 1 }}
  {{- fail (printf "%s.%s.autoscaling.minReplicas must be at least 1 without KEDA" $.app $.role) }}
  {{- end }}
  minReplicas: {{ int .minReplicas }}
  maxReplicas: {{ int .maxReplicas }}
  metrics:
    {{- with .targetCPUUtilizationPercentage }}
    - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: {{ . }}}}}
    {{- end }}
    {{- with .targetMemoryUtilizationPercentage }}
    - {type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: {{ . }}}}}
    {{- end }}
  {{- with .behavior }}
  behavior: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
{{- end -}}

{{- define "classroom.serviceMonitor" -}}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
{{ include "classroom.metadata" . }}
    {{- with .root.Values.serviceMonitor.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  endpoints:
    - port: probes
      path: /metrics
      interval: {{ .root.Values.serviceMonitor.interval }}
      # files/alerts and files/dashboards select the series by these labels.
      relabelings:
        - {targetLabel: product, replacement: virtual-classroom}
        - {targetLabel: service, replacement: {{ .app }}}
  namespaceSelector: {matchNames: [{{ .root.Release.Namespace }}]}
  selector:
    matchLabels:
      {{- include "classroom.selector" . | nindent 6 }}
      virtual-classroom/probes: "true"
{{- end -}}
