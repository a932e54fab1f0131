// Loads users, accounts and sessions (default: a million of each) into MongoDB and PostgreSQL. Then prints what each database examines for
// a sign-in and for a read of the session: npx node bench/million.ts [users]

import { Effect } from "effect"
import { explainMongo, explainPostgres } from "../test/explain.ts"
import { startReplicaSet } from "../test/mongo-server.ts"
import { startPostgres } from "../test/postgres-server.ts"

const count = Number(process.argv[2] ?? 1_000_000)

const replicaSet = await startReplicaSet()
console.log(`MongoDB, ${count} users`)
for (const { command, documents, stages } of await Effect.runPromise(explainMongo(`${replicaSet.url.replace("/?", "/million?")}`, count))) {
  console.log(`  ${command}: ${documents} documents examined, ${stages.join(" < ")}`)
}
await replicaSet.stop()

const server = await startPostgres()
console.log(`PostgreSQL, ${count} users`)
for (const plan of await Effect.runPromise(explainPostgres(server, count))) console.log(plan.trimEnd())
server.stop()
