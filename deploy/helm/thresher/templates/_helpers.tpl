{{- define "thresher.labels" -}}
app.kubernetes.io/name: thresher
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "thresher.selector" -}}
app.kubernetes.io/name: thresher
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "thresher.selectorOfCrawlers" -}}
matchLabels:
  app.kubernetes.io/name: thresher
  app.kubernetes.io/instance: {{ .Release.Name }}
matchExpressions:
  - {key: app.kubernetes.io/component, operator: In, values: [worker, watch]}
{{- end }}

{{/* What the pods of all roles have in common: no rights, a read-only root, secrets as files. */}}
{{- define "thresher.pod" -}}
automountServiceAccountToken: {{ .account | default false }}
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "thresher.container" -}}
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
env:
  - {name: THRESHER_FRONTIER_FILE, value: /run/secrets/thresher/frontier}
  - {name: THRESHER_STORE_FILE, value: /run/secrets/thresher/store}
  - {name: THRESHER_INDEX_FILE, value: /run/secrets/thresher/index}
  - {name: THRESHER_LEASE_S, value: {{ .root.Values.worker.leaseS | quote }}}
  {{- if and .crawls .root.Values.serviceMonitor.enabled (not (hasKey .root.Values.settings "metrics")) }}
  - {name: THRESHER_METRICS, value: "0.0.0.0:{{ .root.Values.serviceMonitor.workerPort }}"}
  {{- end }}
  {{- with .env }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- range $name, $value := .root.Values.settings }}
  - {name: {{ printf "THRESHER_%s" (upper $name) }}, value: {{ $value | toString | quote }}}
  {{- end }}
{{- if and .crawls .root.Values.serviceMonitor.enabled }}
ports:
  - {name: metrics, containerPort: {{ .root.Values.serviceMonitor.workerPort }}}
{{- end }}
volumeMounts:
  - {name: data, mountPath: /data}
  {{- with .mounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  - {name: tmp, mountPath: /tmp}
  - {name: secrets, mountPath: /run/secrets/thresher, readOnly: true}
  {{- if .root.Values.tlsSecret }}
  - {name: tls, mountPath: /etc/thresher/tls, readOnly: true}
  {{- end }}
{{- end }}

{{- define "thresher.volumes" -}}
- {name: tmp, emptyDir: {sizeLimit: 256Mi}}
- name: secrets
  secret: {secretName: {{ ternary (.root.Values.worker.secret | default .root.Values.secret) .root.Values.secret (.crawls | default false) }}, defaultMode: 0440}
{{- if .root.Values.tlsSecret }}
- name: tls
  secret: {secretName: {{ .root.Values.tlsSecret }}, defaultMode: 0440}
{{- end }}
{{- end }}

{{/* At most twofold and by four, as `thresher fleet scale --autoscale` does it. */}}
{{- define "thresher.behavior" -}}
scaleUp:
  stabilizationWindowSeconds: 30
  selectPolicy: Min
  policies:
    - {type: Percent, value: 100, periodSeconds: 30}
    - {type: Pods, value: 4, periodSeconds: 30}
scaleDown:
  stabilizationWindowSeconds: 300
  policies:
    - {type: Pods, value: 4, periodSeconds: 60}
{{- end }}

{{/* A worker that was told to end is gone within 20 seconds; what it could not give back expires after lease_s. */}}
{{- define "thresher.grace" -}}
{{ min 45 .Values.worker.leaseS }}
{{- end }}

{{/* Whether a worker was heard of: it starts, reads its settings and reaches the frontier before the first heartbeat. */}}
{{- define "thresher.probes" -}}
startupProbe:
  exec: {command: [thresher, worker, check]}
  periodSeconds: 10
  timeoutSeconds: 20
  failureThreshold: 18
livenessProbe:
  exec: {command: [thresher, worker, check]}
  periodSeconds: 60
  timeoutSeconds: 30
  failureThreshold: 3
{{- end }}
