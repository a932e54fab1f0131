import { sql } from "../../e2e/database.ts"
import { install } from "../../e2e/program.ts"
import { pause } from "../../e2e/waiting.ts"
import { type Fault, older, sized } from "../fault.ts"

export const [users, sessionsOfEach] = sized([2_000, 5], [200_000, 5])

/** Adds users and sessions to a database of any version. */
export const fill = async (url: string): Promise<void> => {
  const common = "now(), now()"
  await sql(
    url,
    `INSERT INTO "user" (id, email, email_verified, name, created_at, updated_at)
     SELECT 'seeded-' || i, 'seeded' || i || '@example.com', true, 'Seeded ' || i, ${common} FROM generate_series(1, ${users}) i`,
  )
  await sql(
    url,
    `INSERT INTO session (id, user_id, token_hash, created_at, updated_at, expires_at, authenticated_at, proved_at, multi_factor, methods,
       ip_address)
     SELECT 'seeded-' || i, 'seeded-' || (i % ${users} + 1), md5(i::text), ${common}, now() + interval '7 days', ${common}, false, 'pwd',
       '127.0.0.1'
     FROM generate_series(1, ${users * sessionsOfEach}) i`,
  )
  await sql(url, "ANALYZE")
}

/** Two instances of an older version serve; this version migrates, takes over one instance after the other, and gives them back. */
export const versionFaults: ReadonlyArray<Fault> = [
  {
    name: "the older version without a fault",
    expected: "no failed request",
    run: () => pause(sized(3_000, 30_000)),
  },
  {
    name: `migration of ${users} users and ${users * sessionsOfEach} sessions of the older version`,
    expected: "no failed request, p99 within twice its calm",
    run: async ({ store }) => {
      const program = await install({ store, modules: { audit: {}, organization: {}, events: {} } })
      const begun = performance.now()
      const printed = await program.command("migrate")
      return `${printed.match(/;$/gm)?.length ?? 0} statements in ${((performance.now() - begun) / 1000).toFixed(1)} s`
    },
  },
  ...(["this version beside the older one", "back to the older version"] as const).map(
    (name, index): Fault => ({
      name: `${name}, each restarted`,
      expected: "no failed request",
      stopsInstances: true,
      run: async ({ programs: [program, other], restart }) => {
        program.become(index === 0 ? undefined : older)
        await restart(program)
        await restart(other)
        await restart(program)
      },
    }),
  ),
]
