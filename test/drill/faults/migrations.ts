import { Client } from "pg"
import { sql } from "../../e2e/database.ts"
import { install, type Program } from "../../e2e/program.ts"
import { pause, until } from "../../e2e/waiting.ts"
import { type Fault, sized } from "../fault.ts"
import type { World } from "../world.ts"

/** Makes the schema older: the instances that run do not mind, and a migration has to lock a table and to build an index. */
const outdate = async ({ store: { url } }: World) => {
  await sql(url, "ALTER TABLE session ALTER COLUMN ip_address SET NOT NULL")
  await sql(url, "DROP INDEX session__user_id__created_at__idx")
}

/** Runs `migrate`; returns the number of statements that it has made. */
const migrate = async (program: Program): Promise<number> => ((await program.command("migrate")).match(/;$/gm) ?? []).length

const seconds = sized(6, 60)
/** What `pg_dump` does to a table. */
const longTransaction = ({ store: { url } }: World) =>
  sql(url, `BEGIN; SELECT id FROM session LIMIT 1; SELECT pg_sleep(${seconds}); COMMIT`)

const migration = (name: string, expected: string, run: (world: World, program: Program) => Promise<unknown>): Fault => ({
  name,
  expected,
  run: async (world) => {
    await outdate(world)
    // Its start migrates too.
    const program = await install({ store: world.store, modules: { audit: {}, organization: {}, events: {} } })
    const note = await run(world, program)
    if ((await migrate(program)) !== 0) throw new Error("the migration is not complete")
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
    try {
      program.begin()
      await until("the migration", () => program.logs().includes("The migration waits") || undefined, 60)
      await program.kill()
      await pause(sized(1_000, 10_000))
    } finally {
      await client.end()
    }
    return `then ${await migrate(program)} statements`
  }),
  migration("two migrations at once", "one makes each change", async (_, program) => {
    const made = await Promise.all([migrate(program), migrate(program)])
    return `${made.join(" and ")} statements`
  }),
]
