import { Client } from "pg"
import { sql } from "../../e2e/database.ts"
import { install, type Program } from "../../e2e/program.ts"
import { pause, until } from "../../e2e/waiting.ts"
import { type Fault, sized } from "../fault.ts"
import type { World } from "../world.ts"

// A migration adds the tables and columns of modules that the running instances do not have.

const more = { username: {}, phone: {}, two_factor: {}, passkey: {}, admin: {}, idp: {} }

/** A program with more modules; its start migrates too. */
const withMore = ({ store }: World): Promise<Program> => install({ store, modules: { audit: {}, organization: {}, events: {}, ...more } })

/** Runs `migrate`; returns the number of statements that it has made. */
const migrate = async (program: Program): Promise<number> => ((await program.command("migrate")).match(/;$/gm) ?? []).length

const names = (url: string) =>
  Promise.all([
    sql(url, "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"),
    sql(url, "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'"),
  ]).then((found) => found.map((rows) => rows.map(({ name }) => String(name))))

/** Removes what a migration has added, so that the next fault has one to make. */
const undone = async ({ store: { url } }: World, before: ReadonlyArray<ReadonlyArray<string>>) => {
  const [tables = [], columns = []] = await names(url)
  const added = tables.filter((table) => !before[0]?.includes(table))
  for (const table of added) await sql(url, `DROP TABLE "${table}" CASCADE`)
  for (const column of columns.filter((each) => !before[1]?.includes(each))) {
    const [table = "", name = ""] = column.split(".")
    if (!added.includes(table)) await sql(url, `ALTER TABLE "${table}" DROP COLUMN "${name}"`)
  }
}

const seconds = sized(6, 60)
/** What `pg_dump` does to a table. */
const longTransaction = ({ store: { url } }: World) =>
  sql(url, `BEGIN; SELECT id FROM session LIMIT 1; SELECT pg_sleep(${seconds}); COMMIT`)

const migration = (name: string, expected: string, run: (world: World, program: Program) => Promise<unknown>): Fault => ({
  name,
  expected,
  run: async (world) => {
    const before = await names(world.store.url)
    const program = await withMore(world)
    const note = await run(world, program)
    if ((await migrate(program)) !== 0) throw new Error("the migration is not complete")
    await undone(world, before)
    return note
  },
})

export const migrationFaults: ReadonlyArray<Fault> = [
  migration("a migration", "no failed request", async (_, program) => `${await migrate(program)} statements`),
  migration(`a migration behind a transaction of ${seconds} s`, "waits without harm", async (world, program) => {
    const transaction = longTransaction(world)
    await pause(500)
    const made = await migrate(program)
    await transaction
    return `${made} statements`
  }),
  migration("kill -9 in a migration", "leaves no lock, the next one goes on", async (world, program) => {
    const client = new Client({ connectionString: world.store.url })
    await client.connect()
    await client.query("BEGIN; SELECT id FROM session LIMIT 1")
    program.begin()
    await until("the migration", () => program.logs().includes("The migration waits") || undefined, 60)
    await program.kill()
    await pause(sized(1_000, 10_000))
    await client.end()
    return `then ${await migrate(program)} statements`
  }),
  migration("two migrations at once", "one makes each change", async (_, program) => {
    const made = await Promise.all([migrate(program), migrate(program)])
    return `${made.join(" and ")} statements`
  }),
]
