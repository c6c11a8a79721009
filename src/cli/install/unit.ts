import { DATA, EXECUTABLE, SERVICE, SETTINGS, STATE } from './paths.ts'

/**
 * Returns the systemd unit of the service.
 * @param writable the folders besides its own that the service writes to
 */
export const unitText = (
  writable: readonly string[],
) => `# Written by "corkboard install", which replaces it. Options are in ${SETTINGS};
# for changes of the unit itself, use "systemctl edit ${SERVICE}".
[Unit]
Description=Corkboard, a job board
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=5min
StartLimitBurst=10

[Service]
Type=notify
NotifyAccess=main
ExecStart=${EXECUTABLE} serve
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=3
# The options are wrong. Trying again doesn't help.
RestartPreventExitStatus=2
# Records of an older version are backed up and upgraded at the start.
TimeoutStartSec=30min
TimeoutStopSec=30
WatchdogSec=2min
User=${SERVICE}
Group=${SERVICE}
StateDirectory=${SERVICE}
StateDirectoryMode=0700
WorkingDirectory=${STATE}
UMask=0077
LimitNOFILE=65536
# Native code is unpacked there at the start, because /tmp may be mounted noexec.
Environment=CORKBOARD_DATA=${DATA} TMPDIR=${STATE} BUN_TMPDIR=${STATE}
EnvironmentFile=-${SETTINGS}
${writable.length > 0 ? `ReadWritePaths=${writable.map(quote).join(' ')}\n` : ''}
# The ports 80 and 443, and nothing else that only root may do.
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
# MemoryDenyWriteExecute is missing because JavaScript is compiled while it runs.
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectProc=invisible
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`

/**
 * Quotes a path for a unit, in which % begins a specifier. The hyphen makes systemd start the service without the folder,
 * so that the board itself reports the error.
 */
const quote = (path: string) => `"-${path.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`
