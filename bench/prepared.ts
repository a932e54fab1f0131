import type { Database } from "./databases.ts"
import { seededUser } from "./seed.ts"
import { administrator, call, eachOf, type Member, organizations, signIn, signUp, type Tokens, tokens, type User } from "./service.ts"

/** What the requests of the operations use. Everything is prepared once, when an operation first needs it. */
export interface Prepared {
  readonly port: number
  /** Users with different sessions, at least 256. */
  readonly users: () => Promise<ReadonlyArray<User>>
  /** The first of these users, for operations that need several requests to prepare each of them. */
  readonly fewUsers: () => Promise<ReadonlyArray<User>>
  /** Users of organizations of ten members each. */
  readonly members: () => Promise<ReadonlyArray<Member>>
  readonly tokens: () => Promise<ReadonlyArray<Tokens>>
  /** Tokens of the module `jwt`. They are valid for 15 minutes, so they are new for each operation. */
  readonly jwts: () => Promise<ReadonlyArray<string>>
  /** Sessions of an administrator. */
  readonly administrators: () => Promise<ReadonlyArray<User>>
  /** Adds users until the numbers below this one exist. */
  readonly seedUpTo: (count: number) => Promise<void>
  readonly putCodes: (emails: ReadonlyArray<string>) => Promise<void>
}

const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => {
    made ??= make()
    return made
  }
}

const few = 256
/** At most so many seeded users take part, at equal distances in the whole table. */
const many = 10_000

const indexes = (count: number) => Array.from({ length: count }, (_, index) => index)

/** A prime number: multiples of it, modulo a number of users, are all users in another order. */
const stride = 7919

/** Neighbours in the result are far from each other in the table, so that they are on different pages. */
const spread = (seeded: number): ReadonlyArray<User> => {
  const count = Math.min(seeded, many)
  return indexes(count).map((index) => seededUser(Math.floor((((index * stride) % count) * seeded) / count)))
}

/** `seeded` is the number of users in the database; without any, 256 users sign up. */
export const prepare = (port: number, database: Database, seeded: number): Prepared => {
  let exist = seeded
  const users = once(async () => (seeded > 0 ? spread(seeded) : eachOf(indexes(few), (index) => signUp(port, `user${index}@example.com`))))
  const fewUsers = async () => (await users()).slice(0, few)
  return {
    port,
    users,
    fewUsers,
    members: once(async () => organizations(port, await fewUsers())),
    tokens: once(async () => tokens(port, await fewUsers())),
    jwts: async () =>
      eachOf(await fewUsers(), async ({ cookie }): Promise<string> => (await (await call(port, "GET", "/token", { cookie })).json()).token),
    administrators: once(async () => {
      const first = await signUp(port, administrator)
      return [first, ...(await eachOf(indexes(31), () => signIn(port, administrator)))]
    }),
    seedUpTo: async (count) => {
      if (count > exist) await database.seed(exist, count)
      exist = Math.max(exist, count)
    },
    putCodes: async (emails) => database.putCodes?.(emails),
  }
}
