/** The name of the service, its user and its folders. */
export const SERVICE = 'corkboard'

export const EXECUTABLE = `/usr/local/bin/${SERVICE}`
export const UNIT = `/etc/systemd/system/${SERVICE}.service`
/** The options of the service, as variables. */
export const SETTINGS = `/etc/${SERVICE}/${SERVICE}.env`
/** Makes systemd create the user. */
export const USER_FILE = `/etc/sysusers.d/${SERVICE}.conf`
export const STATE = `/var/lib/${SERVICE}`
export const DATA = `${STATE}/data`
