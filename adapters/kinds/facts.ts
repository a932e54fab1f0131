/** A setting of the server with which the database can lose commits that it has answered, or be damaged. */
export interface Danger {
  readonly setting: string
  readonly effect: string
  readonly isFatal: boolean
  readonly remedy: string
}

interface Standby {
  readonly name: string
  /** Whether a commit waits for it. */
  readonly isSynchronous: boolean
  /** Why it would not be a full replacement now; undefined if it would. */
  readonly fault?: string
}

/** A position in the log of the database from which a reader will go on: the server keeps all that follows. */
interface Slot {
  readonly name: string
  readonly isRead: boolean
  readonly heldBytes: number
  /** Whether the server has removed, or is about to remove, what the reader needs. */
  readonly isLost: boolean
}

export interface Replication {
  readonly standbys: ReadonlyArray<Standby>
  readonly slots: ReadonlyArray<Slot>
  /** Whether commits are to wait for standbys. */
  readonly waits: boolean
}

/** Removed and replaced rows that still take space. */
interface TableState {
  readonly name: string
  readonly rows: number
  readonly dead: number
  readonly isVacuumed: boolean
}

/** A missing right, and the statement that gives it. */
export interface MissingRight {
  readonly text: string
  readonly grant: string
}

/** What a database server says about itself. Undefined: the role may not read it, or there is nothing of the kind. */
export interface Facts {
  /** The role that is connected; empty if the server asks for none. */
  readonly role: string
  /** Seconds by which the server's clock is ahead of the clock of this process. */
  readonly clockAhead: number
  /** Whether the connection needs encryption and has none. */
  readonly isPlain: boolean
  /** Connections that the server accepts from this role, and those that other programs use now. */
  readonly connections?: { readonly limit: number; readonly others: number }
  readonly dangers: ReadonlyArray<Danger>
  /** The longest open transaction, in seconds. */
  readonly transaction?: { readonly seconds: number; readonly owner: string }
  readonly tables: ReadonlyArray<TableState>
  readonly replication?: Replication
  /** How the role may read what is undefined above. */
  readonly grant?: string
  /** Rights that the next migration needs and this role lacks. */
  readonly migration: ReadonlyArray<MissingRight>
  /** Rights that the role would lack on the tables of the next version. */
  readonly next: ReadonlyArray<MissingRight>
}
