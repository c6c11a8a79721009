/** The flags of a command, without their dashes: those with a value and those without. */
export interface KnownFlags {
  readonly valueFlags: readonly string[]
  readonly switches: readonly string[]
}

const LONG_FLAG = /^--([^=]+)(?:=([^]*))?$/

/**
 * Parses `--flag value`, `--flag=value`, `--switch` and positionals; after `--` there are only positionals. The last value
 * of a flag counts. Unlike `parseArgs` of node:util, this finds every mistake, and never takes the next flag as a value.
 */
export class CommandLine {
  readonly values = new Map<string, string>()
  readonly switches = new Set<string>()
  readonly positionals: string[] = []
  /** The unknown flags, with their dashes and without their values. */
  readonly unknown: string[] = []
  readonly errors: string[] = []
  private readonly remaining: string[]

  constructor(
    args: readonly string[],
    readonly known: KnownFlags,
  ) {
    this.remaining = [...args]
    for (let arg = this.remaining.shift(); arg !== undefined; arg = this.remaining.shift())
      this.read(arg === '-h' ? '--help' : arg)
  }

  /** Whether every flag is valid. Otherwise a positional may be the value of an unknown flag. */
  get isUnderstood(): boolean {
    return this.unknown.length === 0 && this.errors.length === 0
  }

  private read(arg: string) {
    const [, name, value] = LONG_FLAG.exec(arg) ?? []
    if (arg === '--') this.positionals.push(...this.remaining.splice(0))
    else if (arg === '-' || !arg.startsWith('-')) this.positionals.push(arg)
    else if (name !== undefined && this.known.switches.includes(name)) this.readSwitch(name, value)
    else if (name !== undefined && this.known.valueFlags.includes(name)) this.readValue(name, value)
    else this.unknown.push(name === undefined ? arg.slice(0, 2) : `--${name}`)
  }

  private readSwitch(name: string, value: string | undefined) {
    if (value === undefined) this.switches.add(name)
    else this.errors.push(`--${name} takes no value.`)
  }

  private readValue(name: string, inline: string | undefined) {
    const value = inline ?? (this.remaining[0]?.startsWith('--') ? undefined : this.remaining.shift())
    if (value === undefined) this.errors.push(`--${name} requires a value.`)
    else this.values.set(name, value)
  }
}
